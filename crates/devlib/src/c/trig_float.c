/* sinf, cosf, tanf, sincosf. */
#include "trig.h"

/* q mod 4 for |x| >= TRIG_MEDIUMF, with the arithmetic of double. */
static inline int reduce_largef(float x, float *rest)
{
    double wide[2];
    int q = __accrue_trig_reduce(x, wide);
    rest[0] = (float)wide[0];
    return q;
}

float __accrue_sinf(float x)
{
    int q;
    float r;
    if (fabsf(x) < TRIG_MEDIUMF) {
        TRIG_REDUCEF(x, q, r)
    } else {
        float rest[1];
        if (!(fabsf(x) < INFF))
            return x - x;
        q = reduce_largef(x, rest);
        r = rest[0];
    }
    float result;
    if (q & 1)
        result = cosf_kernel(r);
    else
        result = sinf_kernel(r);
    if (x == 0.0f)
        return x;
    return q & 2 ? -result : result;
}

float __accrue_cosf(float x)
{
    int q;
    float r;
    if (fabsf(x) < TRIG_MEDIUMF) {
        TRIG_REDUCEF(x, q, r)
    } else {
        float rest[1];
        if (!(fabsf(x) < INFF))
            return x - x;
        q = reduce_largef(x, rest);
        r = rest[0];
    }
    float result;
    if (q & 1)
        result = sinf_kernel(r);
    else
        result = cosf_kernel(r);
    return (q + 1) & 2 ? -result : result;
}

void __accrue_sincosf(float x, float *sine, float *cosine)
{
    int q;
    float r;
    if (fabsf(x) < TRIG_MEDIUMF) {
        TRIG_REDUCEF(x, q, r)
    } else {
        float rest[1];
        if (!(fabsf(x) < INFF)) {
            *sine = x - x;
            *cosine = x - x;
            return;
        }
        q = reduce_largef(x, rest);
        r = rest[0];
    }
    float s = sinf_kernel(r), c = cosf_kernel(r);
    if (x == 0.0f)
        s = x;
    float first = q & 1 ? c : s, second = q & 1 ? s : c;
    *sine = q & 2 ? -first : first;
    *cosine = (q + 1) & 2 ? -second : second;
}

/* The quotient of sine and cosine, each with what its rounding lost. */
float __accrue_tanf(float x)
{
    int q;
    float r, low = 0.0f;
    if (fabsf(x) < TRIG_MEDIUMF) {
        float quotient = rintf(x * 0x1.45f306p-1f);
        float step = fmaf(quotient, -PIO2F, x);
        q = (int)quotient;
        r = fmaf(quotient, -PIO2F_LO, step);
        low = fabsf(r) > 0x1p-6f ? fmaf(quotient, -PIO2F_LO, step - r) : 0.0f;
        low = fmaf(quotient, 0x1.ee59dap-50f, low);
    } else {
        float rest[1];
        if (!(fabsf(x) < INFF))
            return x - x;
        q = reduce_largef(x, rest);
        r = rest[0];
    }
    if (x == 0.0f)
        return x;
    float z = r * r;
    float half = 0.5f * z;
    float near = 1.0f - half;
    float s, s_low, c, c_low;
    FAST_TWO_SUM(s, s_low, r, fmaf(r * z, POLY_SINF(z), low * near));
    FAST_TWO_SUM(c, c_low, near, ((1.0f - near) - half) + fmaf(z * z, POLY_COSF(z), fmaf(-0.5f, fmaf(r, r, -z), -(r * low))));
    float n = q & 1 ? -c : s, n_low = q & 1 ? -c_low : s_low;
    float d = q & 1 ? s : c, d_low = q & 1 ? s_low : c_low;
    float reciprocal = 1.0f / d;
    float t = n * reciprocal;
    return fmaf(fmaf(-t, d, n) + fmaf(-t, d_low, n_low), reciprocal, t);
}
