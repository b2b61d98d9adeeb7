// * on double _Complex and float _Complex.
// launches: 2
#include <complex.h>
#include <stdio.h>

int main(void)
{
    double complex d = 1;
    float complex f = 2 * I;
#pragma acc parallel loop reduction(*:d)
    for (int i = 0; i < 24; i++)
        d *= i % 3 ? 1 + I : 0.5 - 0.5 * I;
#pragma acc parallel loop reduction(*:f)
    for (int i = 0; i < 11; i++)
        f *= I;
    // The sign of a zero depends on the order; adding zero drops it.
    printf("%g %g %g %g\n", creal(d) + 0, cimag(d) + 0, crealf(f) + 0, cimagf(f) + 0);
    return 0;
}
