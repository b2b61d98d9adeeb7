// The exponential of an imaginary number, however the number is made, is that of any complex number with this value: for zeros, infinities
// and NaN too, and where only part of it is known to vanish.
#include <complex.h>
#include <math.h>
#include <stdio.h>

#define N 400
#define SPELLINGS 8

/* A letter for a number's class and sign. */
static int class_of(double x)
{
    if (isnan(x))
        return 'n';
    int negative = signbit(x) != 0;
    return isinf(x) ? (negative ? 'I' : 'i') : x == 0 ? (negative ? 'Z' : 'z') : 'f';
}

static int same(double a, double b) { return class_of(a) == class_of(b) && (!isfinite(a) || fabs(a - b) <= 1e-6 * fabs(b) + 1e-12); }

static inline double complex turned(double x) { return cexp(-I * 6.283185307179586 * x); }

int main(void)
{
    static double x[N];
    static double complex z[SPELLINGS][N], e[SPELLINGS][N], plain[SPELLINGS][N];
    for (int i = 0; i < N; i++)
        x[i] = i < 300 ? 0.61 * (i - 150) : ldexp(i % 2 ? 1.3 : -1.7, 4 * (i - 300) - 200);
    x[0] = 0, x[1] = -0.0, x[2] = INFINITY, x[3] = -INFINITY, x[4] = NAN, x[5] = 1e300, x[6] = -1e22, x[7] = 5e-324;
#pragma acc parallel loop copyin(x) copyout(z, e)
    for (int i = 0; i < N; i++) {
        float f = (float)x[i];
        z[0][i] = I * x[i];
        e[0][i] = cexp(I * x[i]);
        z[1][i] = -I * 6.283185307179586 * x[i];
        e[1][i] = turned(x[i]);
        z[2][i] = -2 * M_PI * I * (double)i * x[i] / 16;
        e[2][i] = cexp(-2 * M_PI * I * (double)i * x[i] / 16);
        z[3][i] = CMPLX(0.0, x[i]);
        e[3][i] = cexp(CMPLX(0.0, x[i]));
        z[4][i] = CMPLX(-0.0, 2 * x[i]) - CMPLX(0.0, x[i]);
        e[4][i] = cexp(CMPLX(-0.0, 2 * x[i]) - CMPLX(0.0, x[i]));
        z[5][i] = (float complex)(I * f);
        e[5][i] = cexpf(I * f);
        z[6][i] = 1e-3 + I * x[i];
        e[6][i] = cexp(1e-3 + I * x[i]);
        z[7][i] = x[i];
        e[7][i] = cexp(x[i] + 0.0 * I);
    }
#pragma acc parallel loop collapse(2) copyin(z) copyout(plain)
    for (int s = 0; s < SPELLINGS; s++)
        for (int i = 0; i < N; i++)
            plain[s][i] = s == 5 ? cexpf((float complex)z[s][i]) : cexp(z[s][i]);
    int differ = 0;
    for (int s = 0; s < SPELLINGS; s++) {
        double complex sum = 0;
        for (int i = 0; i < N; i++) {
            int is = same(creal(e[s][i]), creal(plain[s][i])) && same(cimag(e[s][i]), cimag(plain[s][i]));
            differ += !is;
            if (i >= 8 && i < 300 && s < 7)
                sum += e[s][i];
        }
        printf("%d %.4f %.4f", s, creal(sum), cimag(sum));
        for (int i = 0; i < 5 && s < 5; i++)
            printf(" %c%c", class_of(creal(e[s][i])), class_of(cimag(e[s][i])));
        printf("\n");
    }
    printf("%d\n", differ);
    return 0;
}
