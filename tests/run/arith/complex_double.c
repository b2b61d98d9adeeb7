// double _Complex: arithmetic, parts, conjugate, comparison, conversions.
#include <complex.h>
#include <stdio.h>

#define N 8

int main(void)
{
    double complex a[N], b[N];
    double re[N], im[N];
    int eq[N];
    for (int i = 0; i < N; i++)
        a[i] = i + 2 * I;
#pragma acc parallel loop copyin(a) copyout(b, re, im, eq)
    for (int i = 0; i < N; i++) {
        double complex z = a[i] * a[i] - 3;
        z += I * i;
        z = conj(z);
        b[i] = z * (2.0 - 1.0 * I);
        re[i] = creal(z);
        im[i] = cimag(a[i]) + __imag__ z;
        eq[i] = (z == a[i]) + 2 * (z != a[i]) + 4 * !!z;
    }
    for (int i = 0; i < N; i++)
        printf("%g%+gi %g %g %d\n", creal(b[i]), cimag(b[i]), re[i], im[i], eq[i]);
    return 0;
}
