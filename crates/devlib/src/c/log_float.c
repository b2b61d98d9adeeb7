/* logf, log2f, log10f, log1pf. */
#include "log.h"

/* x = 2^e (1 + f) with f in [-1/3, 1/3). Garbage for x that are no positive finite numbers. */
#define LOG_SHORTF(x, e, f) \
    { \
        int is_small = (x) < 0x1p-126f; \
        u32 word = bitsf(is_small ? (x) * 0x1p24f : (x)); \
        u32 exponent = (word - 0x3f2aaaabu) & 0xff800000u; \
        f = from_bitsf(word - exponent) - 1.0f; \
        e = fmaf((float)(int)exponent, 0x1p-23f, is_small ? -24.0f : 0.0f); \
    }

/* The result, or what logarithms give for x that are no positive finite numbers: x inf + inf is infinity, or NaN. */
#define LOG_ENDF(x, result) (bitsf(x) - 1u < 0x7f7fffffu ? (result) : (x) == 0.0f ? -INFF : (x) * INFF + INFF)

float __accrue_logf(float x)
{
    float e, f;
    LOG_SHORTF(x, e, f)
    float result = fmaf(e, 0x1.62e43p-1f, fmaf(f * f, POLY_LOG1F(f), f));
    return LOG_ENDF(x, result);
}

float __accrue_log2f(float x)
{
    float e, f;
    LOG_SHORTF(x, e, f)
    float result = e + fmaf(f, LOG2EF, fmaf(f * f, POLY_LOG1_2F(f), f * LOG2EF_LO));
    return LOG_ENDF(x, result);
}

float __accrue_log10f(float x)
{
    float e, f;
    LOG_SHORTF(x, e, f)
    float tail = fmaf(f * f, POLY_LOG1_10F(f), fmaf(f, -0x1.5b235ep-27f, e * -0x1.ec10cp-27f));
    float result = fmaf(e, 0x1.344136p-2f, fmaf(f, 0x1.bcb7b2p-2f, tail));
    return LOG_ENDF(x, result);
}

static inline float logf_sum(int e, float f)
{
    float u, u_low, s, s_low, v;
    LOG_QUOTIENTF(f, u, u_low)
    v = u * u;
    float tail = fmaf(u * v, POLY_LOGF(v), u_low);
    FAST_TWO_SUM(s, s_low, (float)e * 0x1.62e4p-1f, u);
    return s + (s_low + fmaf((float)e, 0x1.7f7d1cp-20f, tail));
}

float __accrue_log1pf(float x)
{
    if (!(x > -1.0f && x < INFF))
        return x == -1.0f ? -INFF : logf_special(x + 1.0f);
    int e = 0;
    float f = x;
    if (!(x > -0.29f && x < 0.41f)) {
        float s, lost;
        TWO_SUM(s, lost, 1.0f, x);
        LOG_SPLITF(s, e, f)
        f += e > 100 ? 0.0f : lost * POWERF(-e);
    }
    return x == 0.0f ? x : logf_sum(e, f);
}
