/* powf: as pow, but without branches. What is computed for zeros and infinities is replaced in the end. */
#include "exp.h"
#include "log.h"

/* 2 if y is an odd integer, 1 if it is an even one, else 0. */
static inline int parityf(float y)
{
    float half = 0.5f * y;
    int whole = y == truncf(y);
    return half == truncf(half) ? whole : 2 * whole;
}

/* x^y for positive, finite x and any y. */
static inline float power_coref(float x, float y)
{
    float high, low, p, p_low, turn;
    LOG_PRECISEF(x, high, low)
    TWO_PRODUCTF(p, p_low, y, high);
    p_low = fmaf(y, low, p_low);
    p_low = fabsf(p) < 120.0f ? p_low : 0.0f;
    EXPF_SPLIT(LOG2EF_SLOPE, p, turn)
    return exp2_of_split(turn, fmaf(p_low, LOG2EF, EXPF_REST(LOG2EF, LOG2EF_LO, p, turn)));
}

float __accrue_powf(float x, float y)
{
    float a = fabsf(x);
    float result = power_coref(a, y);
    float large = y > 0.0f ? INFF : 0.0f, small = y > 0.0f ? 0.0f : INFF;
    int kind = parityf(y);
    result = a == 1.0f ? 1.0f : result;
    result = a == 0.0f ? small : result;
    result = a == INFF ? large : result;
    float negative = kind == 2 ? -result : result;
    negative = kind == 0 & a != 0.0f & a != INFF ? NOT_A_NUMBERF : negative;
    result = (int)bitsf(x) < 0 ? negative : result;
    result = x != x | y != y ? x + y : result;
    return x == 1.0f | y == 0.0f ? 1.0f : result;
}
