/* pow; the version for float is in pow_float.c. */
#include "exp.h"
#include "log.h"

/* 2 if y is an odd integer, 1 if it is an even one, else 0. */
static inline int parity(double y)
{
    if (fabs(y) >= 0x1p53)
        return 1;
    if (y != trunc(y))
        return 0;
    double half = 0.5 * y;
    return half == trunc(half) ? 1 : 2;
}

/* x^y for positive, finite x and finite y: e^(y log(x)) with the logarithm as a sum of two numbers. */
static inline double power_core(double x, double y)
{
    double high, low, p, p_low;
    LOG_PRECISE(x, high, low)
    TWO_PRODUCT(p, p_low, y, high);
    p_low = fma(y, low, p_low);
    return exp_core(p, fabs(p) < 1100.0 ? p_low : 0.0, 0);
}

double __accrue_pow(double x, double y)
{
    double a = fabs(x);
    if (x == 1.0 || y == 0.0)
        return 1.0;
    if (x != x || y != y)
        return x + y;
    if (fabs(y) == INF) {
        if (a == 1.0)
            return 1.0;
        return (a > 1.0) == (y > 0.0) ? INF : 0.0;
    }
    int kind = parity(y);
    if (x < 0.0 && kind == 0 && a < INF)
        return NOT_A_NUMBER;
    double result;
    if (a == 0.0)
        result = y > 0.0 ? 0.0 : INF;
    else if (a == INF)
        result = y > 0.0 ? INF : 0.0;
    else
        result = power_core(a, y);
    return kind == 2 ? copysign(result, x) : result;
}
