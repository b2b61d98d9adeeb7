// Floating-point numbers divided by constants, spelled in three ways; scaling by powers of two; conversions of conversions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };

#define THIRD(x) ((x) / 3)

static const double TENTH_OF = 10.0;

static float mean(float a, float b, float c) { return (a + b + c) / 3.0f; }

int main(void)
{
    double *x = malloc(N * sizeof *x), *y = malloc(9 * N * sizeof *y);
    float *u = malloc(N * sizeof *u), *v = malloc(9 * N * sizeof *v);
    for (int i = 0; i < N; i++) {
        x[i] = (i - N / 2) * 0.37 + (i % 7) * 1e-9;
        u[i] = (float)(x[i] * 1.7);
    }
    x[0] = HUGE_VAL, x[1] = -HUGE_VAL, x[2] = 0.0, x[3] = -0.0, x[4] = 1.7e308;
    u[0] = HUGE_VALF, u[1] = -HUGE_VALF, u[2] = 0.0f, u[3] = -0.0f, u[4] = 3.3e38f;
#pragma acc parallel loop copyin(x[0:N]) copyout(y[0:9 * N])
    for (size_t i = 0; i < N; i++) {
        y[9 * i] = THIRD(x[i]);
        y[9 * i + 1] = x[i] / TENTH_OF;
        y[9 * i + 2] = x[i] / -0.1;
        y[9 * i + 3] = x[i] / 3.14159265358979323846;
        y[9 * i + 4] = x[i] / 1e-3;
        y[9 * i + 5] = ldexp(x[i], -46);
        y[9 * i + 6] = i < 5 ? 0 : (double)(long)x[i];
        y[9 * i + 7] = (double)(long)(int)i;
        y[9 * i + 8] = scalbn(x[i], 3);
    }
#pragma acc parallel loop copyin(u[0:N]) copyout(v[0:9 * N])
    for (int i = 0; i < N; i++) {
        v[9 * i] = mean(u[i], u[i], u[i]);
        v[9 * i + 1] = u[i] / 255;
        v[9 * i + 2] = u[i] / 0.1f;
        v[9 * i + 3] = u[i] / 7.0f;
        v[9 * i + 4] = u[i] < 0 ? u[i] / 9.81f : u[i];
        v[9 * i + 5] = ldexpf(u[i], 20);
        v[9 * i + 6] = i < 5 ? 0 : (float)(int)u[i];
        v[9 * i + 7] = (float)(unsigned long)(unsigned)(i * 1234567);
        v[9 * i + 8] = __builtin_scalbnf(u[i], -20);
    }
    for (int k = 0; k < 9; k++) {
        double sum = 0, single = 0;
        for (int i = 5; i < N; i++) {
            sum = sum * 0.999 + y[9 * i + k];
            single = single * 0.999 + v[9 * i + k];
        }
        printf("%.17g %.17g\n", sum, single);
        for (int i = 0; i < 5; i++)
            printf("%.17g %.9g ", y[9 * i + k], v[9 * i + k]);
        printf("\n");
    }
    free(x), free(y), free(u), free(v);
    return 0;
}
