// Expressions of several products of complex numbers, of which some are infinite: each product by itself is what Annex G of C11 says.
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define N 6
#define ALL (N * N * N * N * N * N)

/* What a part is, without the bits of a NaN. */
static char kind(double x)
{
    return isnan(x) ? 'n' : isinf(x) ? (x < 0 ? 'i' : 'I') : '0' + (int)fabs(x) % 10;
}

int main(void)
{
    const double v[N] = {1, 0, -2, INFINITY, -INFINITY, NAN};
    static double complex sum[ALL], chain[ALL];
    static float complex narrow[ALL];
#pragma acc parallel loop copyin(v) copyout(sum, chain, narrow)
    for (int i = 0; i < ALL; i++) {
        double complex a = CMPLX(v[i % N], v[i / N % N]), b = CMPLX(v[i / N / N % N], v[i / (N * N * N) % N]),
                       c = CMPLX(v[i / (N * N * N * N) % N], v[i / (N * N * N * N * N)]);
        float complex f = a, g = b, h = c;
        double complex s = c;
        for (int k = 0; k < 3; k++)
            s += a * b - c * 0.5;
        sum[i] = s;
        chain[i] = a * b * c + (a - c) * (b + a * a);
        narrow[i] = f * g + g * h - f;
    }
    for (int i = 0; i < ALL; i++)
        printf("%c%c %c%c %c%c%c", kind(creal(sum[i])), kind(cimag(sum[i])), kind(creal(chain[i])), kind(cimag(chain[i])),
               kind(crealf(narrow[i])), kind(cimagf(narrow[i])), i % 12 == 11 ? '\n' : ' ');
    return 0;
}
