/* erf, erfc. */
#include "exp.h"

/* erfc(a) for a >= 1/2: e^(-a^2) P((a - 4) / (a + 4)) / (1 + 2a). The power of two keeps the first factor normal. */
static inline REAL FN(erfc_core)(REAL a)
{
    REAL b = a > PICK(28.0, 11.0f) ? PICK(28.0, 11.0f) : a;
    REAL t = (b - K(4.0)) / (b + K(4.0));
    REAL square, square_low;
    MACRO(TWO_PRODUCT)(square, square_low, b, b);
    REAL e = FN(exp_core)(-square, -square_low, PICK(100, 40));
    /* 1 + 2b with what its rounding loses. */
    REAL d, d_low;
    FAST_TWO_SUM(d, d_low, b + b, K(1.0));
    REAL q = MACRO(POLY_ERFC)(t) / d;
    return e * FN(fma)(-q, d_low / d, q) * PICK(0x1p-100, 0x1p-40f);
}

REAL LIB(erf)(REAL x)
{
    REAL a = FN(fabs)(x);
    if (a < K(1.0))
        return FN(fma)(x, MACRO(POLY_ERF)(x * x), x);
    return x != x ? x : FN(copysign)(K(1.0) - FN(erfc_core)(a), x);
}

REAL LIB(erfc)(REAL x)
{
    REAL a = FN(fabs)(x);
    if (a < K(0.5))
        return K(1.0) - FN(fma)(x, MACRO(POLY_ERF)(x * x), x);
    REAL result = FN(erfc_core)(a);
    return x < K(0.0) ? K(2.0) - result : result;
}
