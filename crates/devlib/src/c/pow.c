/* pow. */
#include "exp.h"
#include "log.h"

/* 2 if y is an odd integer, 1 if it is an even one, else 0. */
static inline int FN(parity)(REAL y)
{
    if (FN(fabs)(y) >= PICK(0x1p53, 0x1p24f))
        return 1;
    if (y != FN(trunc)(y))
        return 0;
    REAL half = K(0.5) * y;
    return half == FN(trunc)(half) ? 1 : 2;
}

/* x^y for positive, finite x and finite y: e^(y log(x)) with the logarithm as a sum of two numbers. */
static inline REAL FN(power_core)(REAL x, REAL y)
{
    REAL high, low, p, p_low;
    MACRO(LOG_PRECISE)(x, high, low)
    MACRO(TWO_PRODUCT)(p, p_low, y, high);
    p_low = FN(fma)(y, low, p_low);
    return FN(exp_core)(p, FN(fabs)(p) < PICK(1100.0, 120.0f) ? p_low : K(0.0), 0);
}

REAL LIB(pow)(REAL x, REAL y)
{
    REAL a = FN(fabs)(x);
    if (x == K(1.0) || y == K(0.0))
        return K(1.0);
    if (x != x || y != y)
        return x + y;
    if (FN(fabs)(y) == MACRO(INF)) {
        if (a == K(1.0))
            return K(1.0);
        return (a > K(1.0)) == (y > K(0.0)) ? MACRO(INF) : K(0.0);
    }
    int kind = FN(parity)(y);
    if (x < K(0.0) && kind == 0 && a < MACRO(INF))
        return MACRO(NOT_A_NUMBER);
    REAL result;
    if (a == K(0.0))
        result = y > K(0.0) ? K(0.0) : MACRO(INF);
    else if (a == MACRO(INF))
        result = y > K(0.0) ? MACRO(INF) : K(0.0);
    else
        result = FN(power_core)(a, y);
    return kind == 2 ? FN(copysign)(result, x) : result;
}
