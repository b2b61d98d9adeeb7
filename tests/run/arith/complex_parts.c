// Parts of complex numbers by the functions of <complex.h>, also of results and of what a function gives.
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { N = 100 };

#pragma acc routine seq
static double complex turned(double complex z) { return conj(z) * I; }

int main(void)
{
    double complex z[N];
    float complex w[N];
    double x[N][6], y[N][6];
    for (int i = 0; i < N; i++) {
        z[i] = 3 * (i - 50) + 4 * (i - 50) * I;
        w[i] = (float)(i % 7 - 3) - 2.5f * I;
    }
#pragma acc parallel loop copyin(z, w) copyout(x, y)
    for (int i = 0; i < N; i++) {
        x[i][0] = creal(z[i]);
        x[i][1] = cimag(z[i]);
        x[i][2] = cabs(z[i]);
        x[i][3] = creal(turned(z[i]));
        x[i][4] = cimag(conj(z[i] * 2));
        x[i][5] = carg(z[i] * z[i]);
        y[i][0] = crealf(w[i]);
        y[i][1] = cimagf(conjf(w[i]));
        y[i][2] = cabsf(w[i] * 0);
        y[i][3] = creal(w[i]);
        y[i][4] = cimag(conj(w[i] + 1.0));
        y[i][5] = cargf(w[i]);
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 5; k++)
            printf("%g %g ", x[i][k], y[i][k]);
        printf("%.4f %.4f\n", x[i][5], y[i][5]);
    }
    // A zero's sign is the number's own.
    double signs[4];
    double complex zero = CMPLX(-0.0, 0.0);
#pragma acc parallel copyout(signs) copyin(zero)
    {
        signs[0] = copysign(1, creal(zero));
        signs[1] = copysign(1, cimag(zero));
        signs[2] = copysign(1, creal(conj(zero)));
        signs[3] = copysign(1, cimag(conj(zero)));
    }
    printf("%g %g %g %g\n", signs[0], signs[1], signs[2], signs[3]);
    return 0;
}
