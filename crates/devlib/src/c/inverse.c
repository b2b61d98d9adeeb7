/* asin, acos, atan, atan2, asinh, acosh, atanh. */
#include "log.h"

/* asin(x) for |x| <= 1/2 is x + x^3 P(x^2); above, asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)). */
REAL LIB(asin)(REAL x)
{
    REAL a = FN(fabs)(x);
    REAL z = a > K(0.5) ? K(0.5) * (K(1.0) - a) : a * a;
    REAL s = a > K(0.5) ? FN(sqrt)(z) : a;
    REAL tail = s * z * MACRO(POLY_ASIN)(z);
    REAL result = a > K(0.5) ? MACRO(PIO2) - K(2.0) * (s + (tail - K(0.5) * PICK(PIO2_LO, PIO2F_LO))) : s + tail;
    return FN(copysign)(result, x);
}

REAL LIB(acos)(REAL x)
{
    REAL a = FN(fabs)(x);
    REAL z = a > K(0.5) ? K(0.5) * (K(1.0) - a) : a * a;
    REAL s = a > K(0.5) ? FN(sqrt)(z) : x;
    REAL tail = s * z * MACRO(POLY_ASIN)(z);
    if (!(a > K(0.5)))
        return MACRO(PIO2) - (s + (tail - PICK(PIO2_LO, PIO2F_LO)));
    return x > K(0.0) ? K(2.0) * (s + tail) : K(2.0) * (MACRO(PIO2) - (s + (tail - PICK(PIO2_LO, PIO2F_LO))));
}

REAL LIB(atan)(REAL x)
{
    REAL a = FN(fabs)(x);
    REAL t = a > K(1.0) ? K(1.0) / a : a;
    REAL z = t * t;
    REAL tail = t * z * MACRO(POLY_ATAN)(z);
    REAL result = a > K(1.0) ? MACRO(PIO2) - (t + (tail - PICK(PIO2_LO, PIO2F_LO))) : t + tail;
    return FN(copysign)(result, x);
}

REAL LIB(atan2)(REAL y, REAL x)
{
    REAL a = FN(fabs)(x), b = FN(fabs)(y);
    if (x != x || y != y)
        return x + y;
    REAL large = a > b ? a : b, small = a > b ? b : a;
    REAL t = small / large;
    t = large == K(0.0) ? K(0.0) : small == MACRO(INF) ? K(1.0) : t;
    REAL z = t * t;
    REAL tail = t * z * MACRO(POLY_ATAN)(z);
    /* The angle is k pi/2 +- atan(t). */
    int negative = FN(bits)(x) >> PICK(63, 31);
    REAL k = b > a ? K(1.0) : negative ? K(2.0) : K(0.0);
    REAL sign = (b > a) != negative ? -K(1.0) : K(1.0);
    REAL result = k == K(0.0) ? t + tail : FN(fma)(k, MACRO(PIO2), FN(fma)(sign, t, FN(fma)(sign, tail, k * PICK(PIO2_LO, PIO2F_LO))));
    return FN(copysign)(result, y);
}

/* log(x + sqrt(1 + x^2)) */
REAL LIB(asinh)(REAL x)
{
    REAL a = FN(fabs)(x);
    REAL result;
    if (a < PICK(0x1p28, 0x1p13f))
        result = LIB(log1p)(a + a * a / (K(1.0) + FN(sqrt)(FN(fma)(a, a, K(1.0)))));
    else
        result = LIB(log)(a) + MACRO(LN2);
    return FN(copysign)(result, x);
}

/* log(x + sqrt(x^2 - 1)) */
REAL LIB(acosh)(REAL x)
{
    if (x < K(1.0))
        return MACRO(NOT_A_NUMBER);
    REAL t = x - K(1.0);
    if (x < PICK(0x1p28, 0x1p13f))
        return LIB(log1p)(t + FN(sqrt)(FN(fma)(t, t, K(2.0) * t)));
    return LIB(log)(x) + MACRO(LN2);
}

/* log((1 + x) / (1 - x)) / 2 */
REAL LIB(atanh)(REAL x)
{
    REAL a = FN(fabs)(x);
    REAL result = K(0.5) * LIB(log1p)(K(2.0) * a / (K(1.0) - a));
    return a > K(1.0) ? MACRO(NOT_A_NUMBER) : FN(copysign)(result, x);
}
