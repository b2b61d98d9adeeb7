// reduction on serial and on serial loop.
// launches: 2
#include <stdio.h>

int main(void)
{
    int s = 1;
    float f = 2;
#pragma acc serial reduction(+:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc serial loop reduction(+:s) reduction(*:f)
    for (int i = 0; i < 10; i++) {
        s += i;
        f *= 2;
    }
    printf("%d %g\n", s, f);
    return 0;
}
