/* erf, erfc; the versions for float are in erf_float.c. */
#include "exp.h"

/* erfc(a) for a >= 1/2: e^(-a^2) P((a - 4) / (a + 4)) / (1 + 2a). The power of two keeps the first factor normal. */
static inline double erfc_core(double a)
{
    double b = a > 28.0 ? 28.0 : a;
    double t = (b - 4.0) / (b + 4.0);
    double square, square_low;
    TWO_PRODUCT(square, square_low, b, b);
    double e = exp_core(-square, -square_low, 100);
    /* 1 + 2b with what its rounding loses. */
    double d, d_low;
    FAST_TWO_SUM(d, d_low, b + b, 1.0);
    double q = POLY_ERFC(t) / d;
    return e * fma(-q, d_low / d, q) * 0x1p-100;
}

/* From 1 on 1 - erfc(x), with the logarithm of erfc as a polynomial; from 5.93 on that is 1. */
double __accrue_erf(double x)
{
    if (HIGH(x) < HIGH(1.0))
        return fma(x, POLY_ERF(x * x), x);
    double p = POLY_ERF_EXPONENT(fabs(x));
    double turn = p + 0x1.8p+52;
    double r = p - (turn - 0x1.8p+52);
    double e = 1.0 + fma(r, LN2, r * r * POLY_EXP2(r));
    double result = HIGH(x) < HIGH(5.93) ? fma(-e, POWER((int)(u32)bits(turn)), 1.0) : 1.0;
    return x != x ? x : copysign(result, x);
}

double __accrue_erfc(double x)
{
    double a = fabs(x);
    if (a < 0.5)
        return 1.0 - fma(x, POLY_ERF(x * x), x);
    double result = erfc_core(a);
    return x < 0.0 ? 2.0 - result : result;
}
