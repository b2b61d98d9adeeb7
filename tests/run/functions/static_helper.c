// Calls of static functions of the unit, through three levels.
#include <stdio.h>

static int square(int x) { return x * x; }
static int poly(int x) { return square(x) + 3 * x + 1; }
static int twice(int x)
{
    int r = poly(x);
    r += poly(-x);
    return r;
}

int main(void)
{
    int a[32];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < 32; i++)
        a[i] = twice(i) - square(i);
    for (int i = 0; i < 32; i++)
        printf("%d ", a[i]);
    printf("%d\n", twice(3));
    return 0;
}
