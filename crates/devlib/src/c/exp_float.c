/* expf, exp2f, exp10f, expm1f, sinhf, coshf, tanhf. */
#include "exp.h"

float __accrue_expf(float x)
{
    return exp_coref(x, 0.0f, 0);
}

float __accrue_exp2f(float x)
{
    float bounded = x > 180.0f ? 180.0f : x;
    bounded = bounded < -180.0f ? -180.0f : bounded;
    float n = rintf(bounded);
    float r = bounded - n;
    float p = fmaf(r, LN2F, r * r * POLY_EXP2F(r));
    return scaledf(1.0f + p, (int)n);
}

float __accrue_exp10f(float x)
{
    float bounded = x > 60.0f ? 60.0f : x;
    bounded = bounded < -60.0f ? -60.0f : bounded;
    float n = rintf(bounded * 0x1.a934fp+1f);
    float r = fmaf(n, -0x1.344p-2f, bounded);
    r = fmaf(n, -0x1.3509f8p-18f, r);
    float t = r * 0x1.26bb1cp+1f;
    float low = fmaf(r, 0x1.26bb1cp+1f, -t) + r * -0x1.12aabap-25f;
    float p = fmaf(t * t, POLY_EXPF(t), low) + t;
    return scaledf(1.0f + p, (int)n);
}

float __accrue_expm1f(float x)
{
    float bounded = x > 100.0f ? 100.0f : x;
    bounded = bounded < -30.0f ? -30.0f : bounded;
    float n = rintf(bounded * LOG2EF);
    float step = fmaf(n, -LN2F, bounded);
    float r = fmaf(n, -LN2F_LO, step);
    float low = fmaf(n, -LN2F_LO, step - r);
    float p = fmaf(r * r, POLY_EXPF(r), low) + r;
    if (n == 0.0f)
        return x == 0.0f ? x : p;
    float power = POWERF((int)n - 1);
    return n > 128.0f ? INFF : 2.0f * fmaf(power, p, power - 0.5f);
}

float __accrue_sinhf(float x)
{
    float a = fabsf(x);
    float result;
    if (a < 1.0f) {
        float z = a * a;
        result = fmaf(a * z, POLY_SINHF(z), a);
    } else {
        float half = exp_coref(a, 0.0f, -1);
        result = half - 0.25f / half;
    }
    return copysignf(result, x);
}

float __accrue_coshf(float x)
{
    float half = exp_coref(fabsf(x), 0.0f, -1);
    return half + 0.25f / half;
}

float __accrue_tanhf(float x)
{
    float a = fabsf(x);
    float result;
    if (a < 0.55f) {
        float z = a * a;
        result = fmaf(a * z, POLY_TANHF(z), a);
    } else {
        result = 1.0f - 2.0f / (exp_coref(2.0f * a, 0.0f, 0) + 1.0f);
    }
    return copysignf(result, x);
}
