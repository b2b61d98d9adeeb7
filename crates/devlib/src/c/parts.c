/* Rounding, parts of numbers and what needs no approximation: round … nextafter. */
#include "common.h"

#define FRACTION_BITS PICK(52, 23)
#define BIAS PICK(1023, 127)
#define WITHOUT_EXPONENT PICK(0x800fffffffffffffull, 0x807fffffu)
#define SMALLEST_NORMAL PICK(0x1p-1022, 0x1p-126f)
/* Makes subnormal numbers normal. */
#define LIFT PICK(0x1p54, 0x1p24f)
#define LIFT_EXPONENT PICK(54, 24)
/* Takes normal numbers to where they round to subnormal ones. */
#define DEEP PICK(0x1p-64, 0x1p-32f)
#define DEEP_EXPONENT PICK(64, 32)
/* More than the difference of any two exponents. */
#define MOST PICK(4200, 600)

REAL LIB(round)(REAL x)
{
    REAL t = FN(trunc)(x);
    REAL next = t + FN(copysign)(K(1.0), x);
    return FN(copysign)(FN(fabs)(x - t) >= K(0.5) ? next : t, x);
}

long LIB(lround)(REAL x) { return (long)LIB(round)(x); }
long long LIB(llround)(REAL x) { return (long long)LIB(round)(x); }
long LIB(lrint)(REAL x) { return (long)FN(rint)(x); }
long long LIB(llrint)(REAL x) { return (long long)FN(rint)(x); }

REAL LIB(fdim)(REAL x, REAL y)
{
    return x <= y ? K(0.0) : x - y;
}

/* Exponent of |x| as in 1.f 2^e; x is finite and not 0. */
static inline int FN(exponent_of)(REAL x)
{
    return FN(fabs)(x) < SMALLEST_NORMAL ? MACRO(FIELD)(x * LIFT) - (BIAS + LIFT_EXPONENT) : MACRO(FIELD)(x) - BIAS;
}

int LIB(ilogb)(REAL x)
{
    if (x == K(0.0) || x != x)
        return INT_MIN;
    return FN(fabs)(x) == MACRO(INF) ? INT_MAX : FN(exponent_of)(x);
}

REAL LIB(logb)(REAL x)
{
    if (x == K(0.0))
        return -MACRO(INF);
    return FN(fabs)(x) < MACRO(INF) ? (REAL)FN(exponent_of)(x) : x * x;
}

REAL LIB(frexp)(REAL x, int *exponent)
{
    *exponent = 0;
    if (x == K(0.0) || !(FN(fabs)(x) < MACRO(INF)))
        return x;
    int e = FN(exponent_of)(x) + 1;
    *exponent = e;
    REAL normal = FN(fabs)(x) < SMALLEST_NORMAL ? x * LIFT : x;
    return FN(from_bits)((FN(bits)(normal) & WITHOUT_EXPONENT) | (WORD)(BIAS - 1) << FRACTION_BITS);
}

/* The mantissa gets an exponent that fits, and the last factor alone may round. */
REAL LIB(scalbn)(REAL x, int n)
{
    if (x == K(0.0) || !(FN(fabs)(x) < MACRO(INF)))
        return x;
    int e = FN(exponent_of)(x) + (n > MOST ? MOST : n < -MOST ? -MOST : n);
    REAL normal = FN(fabs)(x) < SMALLEST_NORMAL ? x * LIFT : x;
    WORD mantissa = FN(bits)(normal) & WITHOUT_EXPONENT;
    int least = 1 - BIAS;
    REAL factor = e > BIAS ? K(2.0) : e < least ? DEEP : K(1.0);
    int middle = e > BIAS ? BIAS : e < least ? e + DEEP_EXPONENT : e;
    middle = middle < least ? least : middle;
    return FN(from_bits)(mantissa | (WORD)(BIAS + middle) << FRACTION_BITS) * factor;
}

REAL LIB(ldexp)(REAL x, int n) { return LIB(scalbn)(x, n); }

REAL LIB(scalbln)(REAL x, long n)
{
    return LIB(scalbn)(x, n > MOST ? MOST : n < -MOST ? -MOST : (int)n);
}

REAL LIB(modf)(REAL x, REAL *whole)
{
    REAL t = FN(trunc)(x);
    *whole = t;
    return FN(copysign)(FN(fabs)(x) == MACRO(INF) ? K(0.0) : x - t, x);
}

REAL LIB(nextafter)(REAL x, REAL y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == K(0.0))
        return FN(copysign)(PICK(0x1p-1074, 0x1p-149f), y);
    WORD step = (x < y) == (x > K(0.0)) ? 1 : (WORD)-1;
    return FN(from_bits)(FN(bits)(x) + step);
}
