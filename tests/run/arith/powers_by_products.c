// Powers with constant exponents: integers of either sign, halves; of ordinary numbers, and of zeros, infinities, NaN and what overflows.
#include <math.h>
#include <stdio.h>

#define EXPONENTS(OF) \
    OF(0, 4) OF(1, 5) OF(2, 6) OF(3, 7.0) OF(4, 12) OF(5, 48) OF(6, -2) OF(7, -3) OF(8, -6.0) OF(9, -12) OF(10, 2.5) OF(11, -1.5) OF(12, 64) OF(13, -64)
enum { COUNT = 14, NUMBERS = 40 };

static void powers(const double *x, const float *y, double (*a)[COUNT], float (*b)[COUNT])
{
#pragma acc parallel loop copyin(x[0:NUMBERS], y[0:NUMBERS]) copyout(a[0:NUMBERS], b[0:NUMBERS])
    for (int i = 0; i < NUMBERS; i++) {
#define OF(k, exponent) a[i][k] = pow(x[i], exponent);
        EXPONENTS(OF)
#undef OF
#define OF(k, exponent) b[i][k] = powf(y[i], exponent);
        EXPONENTS(OF)
#undef OF
        // The exponent is known when the loop is unrolled, or by its type.
        const short five = 5;
        double sum = 0;
        for (int k = 3; k < 7; k++)
            sum += pow(x[i], k);
        a[i][3] = sum;
        b[i][3] = powf(y[i], five);
    }
}

int main(void)
{
    static double x[NUMBERS], a[NUMBERS][COUNT];
    static float y[NUMBERS], b[NUMBERS][COUNT];
    for (int i = 0; i < NUMBERS; i++) {
        x[i] = (i % 3 ? 1 : -1) * ldexp(1 + i / 37.0, i % 7 - 3);
        y[i] = (float)x[i];
    }
    const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 1e300, -1e300, 1e-300, 1e-162, 5e-324, 1e38, -1e-38};
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++) {
        x[i] = special[i];
        y[i] = (float)special[i];
    }
    powers(x, y, a, b);
    for (int i = 0; i < NUMBERS; i++) {
        for (int k = 0; k < COUNT; k++)
            printf(isnan(a[i][k]) ? "nan " : "%.12g ", a[i][k]);
        for (int k = 0; k < COUNT; k++)
            printf(isnan(b[i][k]) ? "nan " : "%.4g ", b[i][k]);
        printf("\n");
    }
    return 0;
}
