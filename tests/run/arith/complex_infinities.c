// Products and quotients of complex numbers with infinite parts, NaNs and signed zeros (C11, annex G), and of complex and
// real numbers.
// cflags: -ffp-contract=off
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define N 8
#define PAIRS (N * N * N * N)

/* A letter for a number's class and sign. */
static int class_of(double x)
{
    if (isnan(x))
        return 'n';
    int negative = signbit(x) != 0;
    return isinf(x) ? (negative ? 'I' : 'i') : x == 0 ? (negative ? 'Z' : 'z') : (negative ? 'F' : 'f');
}

static void show(double complex z)
{
    printf(" %c%c", class_of(creal(z)), class_of(cimag(z)));
}

int main(void)
{
    const double v[N] = {0.0, -0.0, 1, -1, 2.5, INFINITY, -INFINITY, NAN};
    static double complex product[PAIRS], quotient[PAIRS], mixed[N * N * N][8];
    static float complex productf[PAIRS], quotientf[PAIRS];
#pragma acc parallel loop copyin(v) copyout(product, quotient, productf, quotientf)
    for (int i = 0; i < PAIRS; i++) {
        double complex a = CMPLX(v[i % N], v[i / N % N]), b = CMPLX(v[i / N / N % N], v[i / N / N / N]);
        product[i] = a * b;
        quotient[i] = a / b;
        float complex c = a, d = b;
        productf[i] = c * d;
        quotientf[i] = c / d;
    }
#pragma acc parallel loop copyin(v) copyout(mixed)
    for (int i = 0; i < N * N * N; i++) {
        double complex a = CMPLX(v[i % N], v[i / N % N]);
        double x = v[i / N / N];
        mixed[i][0] = a * x;
        mixed[i][1] = x * a;
        mixed[i][2] = a / x;
        mixed[i][3] = x / a;
        mixed[i][4] = a + x;
        mixed[i][5] = x - a;
        mixed[i][6] = a;
        mixed[i][6] *= x;
        mixed[i][7] = 2 * a;
        mixed[i][7] /= x;
    }
    for (int i = 0; i < PAIRS; i++) {
        printf("%d:", i);
        show(product[i]);
        show(quotient[i]);
        show(productf[i]);
        show(quotientf[i]);
        puts("");
    }
    for (int i = 0; i < N * N * N; i++) {
        printf("%d:", i);
        for (int k = 0; k < 8; k++)
            show(mixed[i][k]);
        puts("");
    }
    return 0;
}
