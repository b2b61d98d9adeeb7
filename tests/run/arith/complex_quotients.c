// Quotients of complex numbers whose parts are large, small and far apart: nothing overflows that need not.
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define N 9

int main(void)
{
    const double v[N] = {1, 3e300, -2e307, 1.7e308, 5e-300, -2e-308, 1e-160, 4e154, 0.7};
    static double complex z[N * N * N * N];
#pragma acc parallel loop copyin(v) copyout(z)
    for (int i = 0; i < N * N * N * N; i++)
        z[i] = CMPLX(v[i % N], v[i / N % N]) / CMPLX(v[i / N / N % N], v[i / N / N / N]);
    for (int i = 0; i < N * N * N * N; i++) {
        /* Digits that no rounding changes; results next to 0 are subnormal. */
        double x = creal(z[i]), y = cimag(z[i]);
        if (isfinite(x) && isfinite(y))
            printf("%d: %.10g %.10g\n", i, fabs(x) < 1e-305 ? 0 : x, fabs(y) < 1e-305 ? 0 : y);
        else
            printf("%d: too large\n", i);
    }
    return 0;
}
