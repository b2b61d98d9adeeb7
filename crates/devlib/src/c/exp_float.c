/* expf, exp2f, exp10f, expm1f, sinhf, coshf, tanhf. */
#include "exp.h"

float __accrue_expf(float x)
{
    float turn;
    EXPF_SPLIT(LOG2EF_SLOPE, x, turn)
    return exp2_of_split(turn, EXPF_REST(LOG2EF, LOG2EF_LO, x, turn));
}

float __accrue_exp2f(float x)
{
    return approx_exp2(x);
}

float __accrue_exp10f(float x)
{
    float turn;
    EXPF_SPLIT(LOG2_10F_SLOPE, x, turn)
    return exp2_of_split(turn, EXPF_REST(0x1.a934fp+1f, 0x1.2f346ep-24f, x, turn));
}

/* 2^n (e^r - 1) + (2^n - 1), the powers halved so that the largest does not overflow. */
float __accrue_expm1f(float x)
{
    float bounded = fmaxf(fminf(x, 100.0f), -30.0f);
    float turn = fmaf(bounded, LOG2EF, 0x1.8p+23f);
    float n = turn - 0x1.8p+23f;
    float step = fmaf(n, -LN2F, bounded);
    float r = fmaf(n, -LN2F_LO, step);
    float low = fmaf(n, -LN2F_LO, step - r);
    float p = fmaf(r * r, POLY_EXPF(r), low) + r;
    float power = from_bitsf((bitsf(turn) + 126u) << 23);
    float result = 2.0f * fmaf(power, p, power - 0.5f);
    result = n > 128.0f ? INFF : result;
    result = n == 0.0f ? p : result;
    return x == 0.0f || x != x ? x : result;
}

float __accrue_sinhf(float x)
{
    float a = fabsf(x);
    float z = a * a;
    float near = fmaf(a * z, POLY_SINHF(z), a);
    float half = exp_coref(a, 0.0f, -1);
    float far = half - 0.25f * approx_reciprocal_ftz(half);
    return copysignf(a < 1.0f ? near : far, x);
}

float __accrue_coshf(float x)
{
    float half = exp_coref(fabsf(x), 0.0f, -1);
    return half + 0.25f * approx_reciprocal_ftz(half);
}

/* 1 - 2 / (e^2x + 1) would lose small results. */
float __accrue_tanhf(float x)
{
    float a = fabsf(x);
    float z = x * x;
    /* Of -0 the sum alone would be +0. */
    float near = copysignf(fmaf(x * z, POLY_TANHF(z), x), x);
    float power = approx_exp2_ftz(a * (2.0f * LOG2EF));
    float far = copysignf(fmaf(-2.0f, approx_reciprocal_ftz(power + 1.0f), 1.0f), x);
    return a >= 0.65f ? far : near;
}
