/* logf, log2f, log10f, log1pf. */
#include "log.h"

static inline float logf_sum(int e, float f)
{
    float u, u_low, s, s_low, v;
    LOG_QUOTIENTF(f, u, u_low)
    v = u * u;
    float tail = fmaf(u * v, POLY_LOGF(v), u_low);
    FAST_TWO_SUM(s, s_low, (float)e * 0x1.62e4p-1f, u);
    return s + (s_low + fmaf((float)e, 0x1.7f7d1cp-20f, tail));
}

float __accrue_logf(float x)
{
    if (!(x > 0.0f && x < INFF))
        return logf_special(x);
    int e;
    float f;
    LOG_SPLITF(x, e, f)
    return logf_sum(e, f);
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

static inline float logf_other(int e, float f, float factor, float factor_low, float step, float step_low)
{
    float u, u_low, v, s, s_low, p, p_low, t, t_low;
    LOG_QUOTIENTF(f, u, u_low)
    v = u * u;
    FAST_TWO_SUM(s, s_low, u, fmaf(u * v, POLY_LOGF(v), u_low));
    TWO_PRODUCTF(p, p_low, s, factor);
    p_low += fmaf(s_low, factor, s * factor_low);
    FAST_TWO_SUM(t, t_low, (float)e * step, p);
    return t + (t_low + fmaf((float)e, step_low, p_low));
}

float __accrue_log2f(float x)
{
    if (!(x > 0.0f && x < INFF))
        return logf_special(x);
    int e;
    float f;
    LOG_SPLITF(x, e, f)
    return logf_other(e, f, LOG2EF, LOG2EF_LO, 1.0f, 0.0f);
}

float __accrue_log10f(float x)
{
    if (!(x > 0.0f && x < INFF))
        return logf_special(x);
    int e;
    float f;
    LOG_SPLITF(x, e, f)
    return logf_other(e, f, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.344p-2f, 0x1.3509f8p-18f);
}
