// + on float _Complex and double _Complex.
// launches: 2
#include <complex.h>
#include <stdio.h>

int main(void)
{
    float complex f = 1 + 2 * I;
    double complex d = 0;
#pragma acc parallel loop reduction(+:f)
    for (int i = 0; i < 100; i++)
        f += i - 2 * i * I;
#pragma acc parallel loop gang vector reduction(+:d)
    for (int i = 0; i < 1000; i++)
        d += (i + I) * (1 - i * I);
    printf("%g %g %g %g\n", crealf(f), cimagf(f), creal(d), cimag(d));
    return 0;
}
