/* e^(x + low) 2^k, the core of all functions with an exponential. */
#ifndef ACCRUE_DEVLIB_EXP_H
#define ACCRUE_DEVLIB_EXP_H

#include "common.h"

/* x 2^n for -2000 < n < 2000, rounded once: the first of the two factors cannot make the result subnormal if x is near 1. */
static inline double scaled(double x, int n)
{
    int half = n >> 1;
    return x * POWER(half) * POWER(n - half);
}

static inline float scaledf(float x, int n)
{
    int half = n >> 1;
    return x * POWERF(half) * POWERF(n - half);
}

/* x = n ln2 + r with |r| <= ln2/2, e^r = 1 + r + r^2 P(r). Too large or too small x become 0 or infinity by the scaling. */
static inline double exp_core(double x, double low, int k)
{
    double bounded = x > 1100.0 ? 1100.0 : x;
    bounded = bounded < -1100.0 ? -1100.0 : bounded;
    double n = rint(bounded * LOG2E);
    double r = fma(n, -LN2, bounded) + fma(n, -LN2_LO, low);
    double p = fma(r * r, POLY_EXP(r), r);
    return scaled(1.0 + p, (int)n + k);
}

static inline float exp_coref(float x, float low, int k)
{
    float bounded = x > 120.0f ? 120.0f : x;
    bounded = bounded < -120.0f ? -120.0f : bounded;
    float n = rintf(bounded * LOG2EF);
    float r = fmaf(n, -LN2F, bounded) + fmaf(n, -LN2F_LO, low);
    float p = fmaf(r * r, POLY_EXPF(r), r);
    return scaledf(1.0f + p, (int)n + k);
}

#endif
