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
    double turn = fma(bounded, LOG2E, 0x1.8p+52);
    double n = turn - 0x1.8p+52;
    double r = fma(n, -LN2, bounded) + fma(n, -LN2_LO, low);
    double p = fma(r * r, POLY_EXP(r), r);
    return scaled(1.0 + p, (int)(u32)bits(turn) + k);
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

/* part 253 + 1 is 127 + n in [1, 254] for the integer n next to y, or next to what the saturation leaves of it; the last bits of
 * `turn` are those of this sum. `slope` is factor / 253.
 */
#define EXPF_SPLIT(slope, x, turn) \
    { \
        float part = fma_sat(x, slope, 0x1.fdf9eep-2f); \
        turn = fmaf(part, 253.0f, 0x1.800002p+23f); \
    }

#define LOG2EF_SLOPE 0x1.75b596p-8f
#define LOG2_10F_SLOPE 0x1.ae3fbp-7f

/* y - n for y = x factor. */
#define EXPF_REST(factor, factor_low, x, turn) fmaf(x, factor_low, fmaf(x, factor, 0x1.8000fep+23f - (turn)))

/* 2^(n + rest) with the GPU's 2^rest. Where the saturation has changed n, the first factor becomes so small or so large that the
 * product has its only rounding, or is 0 or infinity.
 */
static inline float exp2_of_split(float turn, float rest)
{
    return approx_exp2_ftz(rest) * from_bitsf(bitsf(turn) << 23);
}

#endif
