/* exp, exp2, exp10, expm1, sinh, cosh, tanh of double. */
#include "exp.h"

double __accrue_exp(double x)
{
    return exp_core(x, 0.0, 0);
}

double __accrue_exp2(double x)
{
    double bounded = x > 1500.0 ? 1500.0 : x;
    bounded = bounded < -1500.0 ? -1500.0 : bounded;
    double n = rint(bounded);
    double r = bounded - n;
    double p = fma(r, LN2, r * r * POLY_EXP2(r));
    return scaled(1.0 + p, (int)n);
}

double __accrue_exp10(double x)
{
    double bounded = x > 400.0 ? 400.0 : x;
    bounded = bounded < -400.0 ? -400.0 : bounded;
    /* x = n log10(2) + r, and e^(r ln10) with the product's rounding error. */
    double n = rint(bounded * 0x1.a934f0979a371p+1);
    double r = fma(n, -0x1.34413509f79ffp-2, bounded);
    r = fma(n, 0x1.9dc1da994fd21p-59, r);
    double t = r * 0x1.26bb1bbb55516p+1;
    double low = fma(r, 0x1.26bb1bbb55516p+1, -t) + r * -0x1.f48ad494ea3e9p-53;
    double p = fma(t * t, POLY_EXP(t), low) + t;
    return scaled(1.0 + p, (int)n);
}

/* 2^n e^r - 1 = 2^n (e^r - 1) + (2^n - 1); the last bracket is exact where it matters. */
double __accrue_expm1(double x)
{
    double bounded = x > 800.0 ? 800.0 : x;
    bounded = bounded < -60.0 ? -60.0 : bounded;
    double n = rint(bounded * LOG2E);
    double step = fma(n, -LN2, bounded);
    double r = fma(n, -LN2_LO, step);
    double low = fma(n, -LN2_LO, step - r);
    double p = fma(r * r, POLY_EXP(r), low) + r;
    if (n == 0.0)
        return x == 0.0 ? x : p;
    /* One factor of 2 is kept back: 2^1024 is not a double. */
    double power = POWER((int)n - 1);
    return n > 1024.0 ? INF : 2.0 * fma(power, p, power - 0.5);
}

double __accrue_sinh(double x)
{
    double a = fabs(x);
    double result;
    if (a < 1.0) {
        double z = a * a;
        result = fma(a * z, POLY_SINH(z), a);
    } else {
        double half = exp_core(a, 0.0, -1);
        result = half - 0.25 / half;
    }
    return copysign(result, x);
}

double __accrue_cosh(double x)
{
    double half = exp_core(fabs(x), 0.0, -1);
    return half + 0.25 / half;
}

double __accrue_tanh(double x)
{
    double a = fabs(x);
    double result;
    if (a < 0.55) {
        double z = a * a;
        result = fma(a * z, POLY_TANH(z), a);
    } else {
        result = 1.0 - 2.0 / (exp_core(2.0 * a, 0.0, 0) + 1.0);
    }
    return copysign(result, x);
}
