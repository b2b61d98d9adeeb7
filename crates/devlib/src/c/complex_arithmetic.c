/* Multiplication and division of complex numbers (C11, G.5.1).
 *
 * A number is infinite if one of its parts is, even if the other one is NaN. The formulas make NaN of some results that must
 * be infinite or zero; then the parts of infinite operands are made +-1, the finite ones +-0, and the formula says where on
 * the circle the result is. The compiler computes products itself, and asks for what is left where both parts are NaN.
 */
#include "common.h"

/* 1 for an infinity, else 0, with the sign of x: x taken to a box around the origin. */
static inline REAL FN(boxed)(REAL x)
{
    return FN(copysign)(FN(fabs)(x) == MACRO(INF) ? K(1.0) : K(0.0), x);
}

static inline int FN(is_infinite)(REAL a, REAL b)
{
    return FN(fabs)(a) == MACRO(INF) || FN(fabs)(b) == MACRO(INF);
}

static inline int FN(is_finite)(REAL a, REAL b)
{
    return FN(fabs)(a) < MACRO(INF) && FN(fabs)(b) < MACRO(INF);
}

/* NaN has no place on the circle. */
static inline REAL FN(number_or_zero)(REAL x)
{
    return x != x ? FN(copysign)(K(0.0), x) : x;
}

/* (a + b i) (c + d i) where the formula gives NaN for both parts. */
REAL _Complex PICK(__accrue_muldc3, __accrue_mulsc3)(REAL a, REAL b, REAL c, REAL d)
{
    REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c, factor = K(1.0);
    if (FN(is_infinite)(a, b) || FN(is_infinite)(c, d)) {
        factor = MACRO(INF);
        if (FN(is_infinite)(a, b)) {
            a = FN(boxed)(a);
            b = FN(boxed)(b);
        }
        if (FN(is_infinite)(c, d)) {
            c = FN(boxed)(c);
            d = FN(boxed)(d);
        }
    } else if (FN(is_infinite)(ac, bd) || FN(is_infinite)(ad, bc)) {
        factor = MACRO(INF);
    }
    if (factor == MACRO(INF)) {
        a = FN(number_or_zero)(a);
        b = FN(number_or_zero)(b);
        c = FN(number_or_zero)(c);
        d = FN(number_or_zero)(d);
    }
    REAL _Complex r;
    MAKE(r, factor * (a * c - b * d), factor * (a * d + b * c));
    return r;
}

/* What is left to do for a quotient x + y i where both parts are NaN. */
static inline REAL _Complex FN(recovered_quotient)(REAL a, REAL b, REAL c, REAL d, REAL x, REAL y)
{
    REAL _Complex r;
    if (c == K(0.0) && d == K(0.0) && (a == a || b == b)) {
        REAL infinity = FN(copysign)(MACRO(INF), c);
        MAKE(r, infinity * a, infinity * b);
        return r;
    }
    REAL factor;
    if (FN(is_infinite)(a, b) && FN(is_finite)(c, d)) {
        a = FN(boxed)(a);
        b = FN(boxed)(b);
        factor = MACRO(INF);
    } else if (FN(is_infinite)(c, d) && FN(is_finite)(a, b)) {
        c = FN(boxed)(c);
        d = FN(boxed)(d);
        factor = K(0.0);
    } else {
        MAKE(r, x, y);
        return r;
    }
    MAKE(r, factor * (a * c + b * d), factor * (b * c - a * d));
    return r;
}
