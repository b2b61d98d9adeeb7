/* erff, erfcf. */
#include "exp.h"

/* From 1 on 1 - erfc(x), with the logarithm of erfc as a polynomial; from 4 on that is 1. */
float __accrue_erff(float x)
{
    float a = fabsf(x);
    float near = fmaf(x, POLY_ERFF(x * x), x);
    float far = copysignf(1.0f - approx_exp2_ftz(POLY_ERFC_EXPONENTF(fminf(a, 4.0f))), x);
    return a >= 1.0f ? far : near;
}

/* As erfc; without branches. */
float __accrue_erfcf(float x)
{
    float a = fabsf(x);
    float near = 1.0f - fmaf(x, POLY_ERFF(x * x), x);
    float b = fminf(a, 11.0f);
    float t = (b - 4.0f) * approx_reciprocal_ftz(b + 4.0f);
    float square, square_low, d, d_low;
    TWO_PRODUCTF(square, square_low, b, b);
    float e = exp_coref(-square, -square_low, 40);
    /* 1 + 2b with what its rounding loses. */
    FAST_TWO_SUM(d, d_low, b + b, 1.0f);
    float reciprocal = approx_reciprocal_ftz(d);
    float p = POLY_ERFCF(t);
    float q = p * reciprocal;
    q = fmaf(fmaf(-q, d, fmaf(-q, d_low, p)), reciprocal, q);
    float far = e * q * 0x1p-40f;
    far = x < 0.0f ? 2.0f - far : far;
    return a >= 0.5f ? far : near;
}
