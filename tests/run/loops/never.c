// Loops whose conditions are never true, as they come from macros, with sums of floating-point numbers.
// launches: 3
#include <limits.h>
#include <stdio.h>

#define NONE 0

int main(void)
{
    double s = 1, t = 2, u = 3;
    float v = 4;
#pragma acc parallel loop reduction(+:s)
    for (unsigned i = 0; i < NONE; i++)
        s += i;
#pragma acc parallel loop vector reduction(*:t) reduction(+:v)
    for (unsigned i = 0; i < NONE; i++) {
        t *= i;
        v += i;
    }
#pragma acc parallel reduction(+:u)
    {
#pragma acc loop vector reduction(+:u)
        for (int i = 0; i < INT_MIN; i++)
            u += i;
#pragma acc loop worker reduction(+:u)
        for (unsigned char i = 9; i > 255; i--)
            u += i;
#pragma acc loop vector reduction(+:u)
        for (unsigned long i = 0; i < NONE; ++i)
            u += i;
    }
    printf("%g %g %g %g\n", s, t, u, v);
    return 0;
}
