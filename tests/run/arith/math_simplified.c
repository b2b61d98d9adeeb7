// 1 / sqrt(x), powers with constants and divisions by constants are as close as documented, zeros and infinities included.
// cflags: -fno-builtin
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>

#define N 64
#define FLOATS 15
#define DOUBLES 14

static float own(float x)
{
    float root = sqrtf(x);
    return 1 / root;
}

// Units in the last place; a wrong infinity, NaN or sign of a zero is a million.
static double off(double got, double exact, int bits)
{
    if (got != got || exact != exact)
        return got != got && exact != exact ? 0 : 1e6;
    if (isinf(got) || isinf(exact) || exact == 0)
        return got == exact && !signbit(got) == !signbit(exact) ? 0 : 1e6;
    return fabs(got - exact) / ldexp(1, ilogb(exact) + 1 - bits);
}

int main(void)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, -2.0, 1.0, 4.0};
    static float x[N], f[N][FLOATS];
    static double y[N], d[N][DOUBLES];
    for (int i = 0; i < N; i++) {
        y[i] = i < 8 ? special[i] : 0.013 * i * i + 1e-3 * i;
        x[i] = (float)y[i];
    }
    x[9] = 0x1p-140f, y[9] = 0x1p-1060;
#pragma acc parallel loop copyin(x, y) copyout(f, d)
    for (int i = 0; i < N; i++) {
        float s, c, a = x[i];
        double b = y[i], t, u;
        f[i][0] = 1 / sqrtf(a), f[i][1] = 1.0f / sqrtf(a), f[i][2] = own(a);
        f[i][3] = powf(a, 2), f[i][4] = powf(a, 3.0f), f[i][5] = powf(a, 4);
        f[i][6] = powf(a, -1), f[i][7] = powf(a, 0.5f), f[i][8] = powf(a, 1.5f);
        f[i][9] = powf(a, -0.5f), f[i][10] = a / 8;
        sincosf(a, &s, &c);
        f[i][11] = 2 * s + c;
        f[i][12] = (a + 3) / sqrtf(a), f[i][13] = 8.f / 3 * a, f[i][14] = 0;
        for (int k = 0; k < 3; k++)
            f[i][14] += a / 3; // the same in every iteration
        d[i][0] = 1 / sqrt(b), d[i][1] = 1.0 / sqrt(b), d[i][2] = pow(2, b < 100 ? b : 100);
        d[i][3] = pow(b, 2), d[i][4] = pow(b, 3), d[i][5] = pow(b, 1);
        d[i][6] = pow(b, -1), d[i][7] = pow(b, 0.5), d[i][8] = pow(b, 1.5);
        d[i][9] = pow(b, -0.5), d[i][10] = b / 0.25;
        sincos(b, &t, &u);
        d[i][11] = t - u;
        d[i][12] = (b + 3) / sqrt(b), d[i][13] = 8. / 3 * b;
    }
    for (int k = 0; k < FLOATS; k++) {
        static const double bound[] = {1.5, 1.5, 1.5, 0.5, 1.5, 4, 0.5, 0.5, 1.5, 1.5, 0, 8, 3, 0, 0};
        int bad = 0;
        for (int i = 0; i < N; i++) {
            double a = x[i], e[] = {1 / sqrt(a), 1 / sqrt(a), 1 / sqrt(a), a * a, pow(a, 3), pow(a, 4), 1 / a, pow(a, 0.5),
                                    pow(a, 1.5), pow(a, -0.5), a / 8, 2 * sin(a) + cos(a), ((float)a + 3) / sqrt(a),
                                    8.f / 3 * (float)a, 0.f + (float)a / 3 + (float)a / 3 + (float)a / 3};
            // Beyond the range of float.
            if (fabs(e[k]) > 1e38 && !isinf(e[k]) || fabs(e[k]) < 1e-38 && e[k] != 0)
                continue;
            if (!(off(f[i][k], e[k], 24) <= bound[k] + 0.01) && !(k == 11 && fabs(f[i][k] - e[k]) < 1e-6))
                bad++, printf("float %d of %a: %a, not %a\n", k, a, f[i][k], e[k]);
        }
        printf("float %d: %d\n", k, bad);
    }
    for (int k = 0; k < DOUBLES; k++) {
        static const double bound[] = {2, 2, 2, 1, 2, 0, 1, 1, 2, 2, 0, 8, 3, 0};
        int bad = 0;
        for (int i = 0; i < N; i++) {
            double b = y[i], e[] = {1 / sqrt(b), 1 / sqrt(b), exp2(b < 100 ? b : 100), b * b, pow(b, 3), b, 1 / b, pow(b, 0.5),
                                    pow(b, 1.5), pow(b, -0.5), b * 4, sin(b) - cos(b), (b + 3) / sqrt(b), 8. / 3 * b};
            if (fabs(e[k]) < 1e-300 && e[k] != 0)
                continue;
            if (!(off(d[i][k], e[k], 53) <= bound[k]) && !(k == 11 && fabs(d[i][k] - e[k]) < 1e-14))
                bad++, printf("double %d of %a: %a, not %a\n", k, b, d[i][k], e[k]);
        }
        printf("double %d: %d\n", k, bad);
    }
    return 0;
}
