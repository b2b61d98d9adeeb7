/* sinf, cosf, tanf, sincosf. Large arguments are reduced out of line; the rest has no branches. */
#include "trig.h"

#define TRIG_REDUCE_ANYF(x, q, r) \
    { \
        TRIG_REDUCEF(x, q, r) \
        if (!(fabsf(x) < TRIG_MEDIUMF)) { \
            u64 both = __accrue_lib_trig_large(x); \
            q = (u32)both; \
            r = from_bitsf((u32)(both >> 32)); \
        } \
    }

/* Sine, or with q = 1 cosine, 2 -sine, 3 -cosine. */
static inline float sine_of_turned(float r, u32 q)
{
    float s = sinf_kernel(r), c = cosf_kernel(r);
    return from_bitsf(bitsf(q & 1u ? c : s) ^ (q << 30 & 0x80000000u));
}

float __accrue_sinf(float x)
{
    u32 q;
    float r;
    TRIG_REDUCE_ANYF(x, q, r)
    return sine_of_turned(r, q);
}

float __accrue_cosf(float x)
{
    u32 q;
    float r;
    TRIG_REDUCE_ANYF(x, q, r)
    return sine_of_turned(r, q + 1u);
}

void __accrue_sincosf(float x, float *sine, float *cosine)
{
    u32 q;
    float r;
    TRIG_REDUCE_ANYF(x, q, r)
    *sine = sine_of_turned(r, q);
    *cosine = sine_of_turned(r, q + 1u);
}

/* The two steps of sine and cosine, for those who want both: the turn has the quarters in its low word, the rest in the other. */
unsigned long __accrue_turnf(float x)
{
    u32 q;
    float r;
    TRIG_REDUCE_ANYF(x, q, r)
    return (u64)bitsf(r) << 32 | q;
}

float __accrue_turn_sinf(unsigned long turn)
{
    return sine_of_turned(from_bitsf((u32)(turn >> 32)), (u32)turn);
}

float __accrue_turn_cosf(unsigned long turn)
{
    return sine_of_turned(from_bitsf((u32)(turn >> 32)), (u32)turn + 1u);
}

/* The quotient of sine and cosine, each with what its rounding lost. */
float __accrue_tanf(float x)
{
    float turn = fmaf(x, 0x1.45f306p-1f, 0x1.8p+23f);
    float quotient = turn - 0x1.8p+23f;
    u32 q = bitsf(turn);
    float step = fmaf(quotient, -PIO2F, x);
    float r = fmaf(quotient, -PIO2F_LO, step);
    float low = fabsf(r) > 0x1p-6f ? fmaf(quotient, -PIO2F_LO, step - r) : 0.0f;
    low = fmaf(quotient, 0x1.ee59dap-50f, low);
    if (!(fabsf(x) < TRIG_MEDIUMF)) {
        u64 both = __accrue_lib_trig_large(x);
        q = (u32)both;
        r = from_bitsf((u32)(both >> 32));
        low = 0.0f;
    }
    float z = r * r;
    float half = 0.5f * z;
    float near = 1.0f - half;
    float s, s_low, c, c_low;
    FAST_TWO_SUM(s, s_low, r, fmaf(r * z, POLY_SINF(z), low * near));
    FAST_TWO_SUM(c, c_low, near, ((1.0f - near) - half) + fmaf(z * z, POLY_COSF(z), fmaf(-0.5f, fmaf(r, r, -z), -(r * low))));
    float n = q & 1u ? -c : s, n_low = q & 1u ? -c_low : s_low;
    float d = q & 1u ? s : c, d_low = q & 1u ? s_low : c_low;
    float reciprocal = approx_reciprocal(d);
    float t = n * reciprocal;
    t = fmaf(fmaf(-t, d, n) + fmaf(-t, d_low, n_low), reciprocal, t);
    return x == 0.0f ? x : t;
}
