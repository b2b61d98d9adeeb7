/* Approximations of float functions for -ffast-math: the GPU's own instructions, with the least around them.
 *
 * Arguments and results are finite. Sine and cosine are good near 0 only, so that multiples of 2 pi are subtracted first.
 */
#include "common.h"

/* x less the nearest multiple of 2 pi, which is a sum of two numbers. */
static inline float fast_turn(float x)
{
    float n = rintf(x * 0x1.45f306p-3f);
    return fmaf(n, 0x1.777a5cp-23f, fmaf(n, -0x1.921fb6p+2f, x));
}

float __accrue_fast_sinf(float x) { return approx_sin(fast_turn(x)); }
float __accrue_fast_cosf(float x) { return approx_cos(fast_turn(x)); }

unsigned long __accrue_fast_turnf(float x) { return bitsf(fast_turn(x)); }
float __accrue_fast_turn_sinf(unsigned long turn) { return approx_sin(from_bitsf((u32)turn)); }
float __accrue_fast_turn_cosf(unsigned long turn) { return approx_cos(from_bitsf((u32)turn)); }

void __accrue_fast_sincosf(float x, float *sine, float *cosine)
{
    float r = fast_turn(x);
    *sine = approx_sin(r);
    *cosine = approx_cos(r);
}

float __accrue_fast_tanf(float x)
{
    float r = fast_turn(x);
    return approx_sin(r) * approx_reciprocal(approx_cos(r));
}

float __accrue_fast_expf(float x) { return approx_exp2(x * LOG2EF); }
float __accrue_fast_exp2f(float x) { return approx_exp2(x); }
float __accrue_fast_exp10f(float x) { return approx_exp2(x * 0x1.a934fp+1f); }
float __accrue_fast_logf(float x) { return approx_log2(x) * LN2F; }
float __accrue_fast_log2f(float x) { return approx_log2(x); }
float __accrue_fast_log10f(float x) { return approx_log2(x) * 0x1.344136p-2f; }

float __accrue_fast_powf(float x, float y)
{
    float size = approx_exp2(y * approx_log2(fabsf(x)));
    if (y == 0.0f)
        return 1.0f;
    if (x >= 0.0f)
        return size;
    int kind = parityf(y);
    return kind == 0 ? NOT_A_NUMBERF : kind == 2 ? -size : size;
}

/* 1 - 2 / (e^2x + 1) would lose small results. */
float __accrue_fast_tanhf(float x)
{
    float z = x * x;
    float near = fmaf(x * z, POLY_TANHF(z), x);
    float far = fmaf(-2.0f, approx_reciprocal(approx_exp2(fabsf(x) * (2.0f * LOG2EF)) + 1.0f), 1.0f);
    return fabsf(x) < 0.55f ? near : copysignf(far, x);
}

float __accrue_fast_rsqrtf(float x) { return approx_rsqrt(x); }
