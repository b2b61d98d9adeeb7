// Constructs on single statements: an assignment, an if, a while, a nested compound, a call.
// launches: 5
#include <stdio.h>

static void set(int *p) { *p = 9; }

int main(void)
{
    int x = 1, y[2] = {0}, n = 0, z = 0;
#pragma acc serial copy(x)
    x = x + 41;
#pragma acc serial copy(y) copyin(x)
    if (x > 10)
        y[1] = x;
    else
        y[0] = x;
#pragma acc serial copy(n)
    while (n < 10)
        n += 3;
#pragma acc serial copy(z)
    {
        {
            z = 5;
        }
    }
#pragma acc serial copy(y)
    set(&y[0]);
    printf("%d %d %d %d %d\n", x, y[0], y[1], n, z);
    return 0;
}
