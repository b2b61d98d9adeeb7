/* Complex functions, with the special values of C's Annex G. */
#include "exp.h"
#include "log.h"

/* The sum of two numbers in between can be formed, also after a multiplication by 4. */
#define NEARLY_TOO_LARGE PICK(0x1p1000, 0x1p120f)
#define NEARLY_TOO_SMALL PICK(0x1p-1000, 0x1p-100f)
/* Above, e^x is computed with a factor 2^-EXP_SHIFT, which the product with a small number takes back. */
#define EXP_SAFE PICK(700.0, 85.0f)
#define EXP_SHIFT PICK(600, 60)

REAL LIB(creal)(REAL _Complex z) { return __real__ z; }
REAL LIB(cimag)(REAL _Complex z) { return __imag__ z; }
REAL LIB(cabs)(REAL _Complex z) { return LIB(hypot)(__real__ z, __imag__ z); }
REAL LIB(carg)(REAL _Complex z) { return LIB(atan2)(__imag__ z, __real__ z); }

REAL _Complex LIB(conj)(REAL _Complex z)
{
    REAL _Complex r;
    MAKE(r, __real__ z, -__imag__ z);
    return r;
}

REAL _Complex LIB(cproj)(REAL _Complex z)
{
    if (FN(fabs)(__real__ z) == MACRO(INF) || FN(fabs)(__imag__ z) == MACRO(INF))
        MAKE(z, MACRO(INF), FN(copysign)(K(0.0), __imag__ z));
    return z;
}

REAL _Complex LIB(cexp)(REAL _Complex z)
{
    REAL x = __real__ z, y = __imag__ z, s, c;
    REAL _Complex r;
    if (y == K(0.0)) {
        MAKE(r, LIB(exp)(x), y);
        return r;
    }
    if (!(FN(fabs)(y) < MACRO(INF)) && FN(fabs)(x) == MACRO(INF)) {
        REAL size = x > K(0.0) ? MACRO(INF) : K(0.0);
        MAKE(r, size, x > K(0.0) ? y - y : K(0.0));
        return r;
    }
    LIB(sincos)(y, &s, &c);
    /* e^x may be too large where the result is not. */
    int k = x > EXP_SAFE && x < MACRO(INF) ? EXP_SHIFT : 0;
    REAL size = FN(exp_core)(x, K(0.0), -k);
    MAKE(r, FN(scaled)(size * c, k), FN(scaled)(size * s, k));
    return r;
}

/* log|z| = log1p(|z|^2 - 1) / 2 where |z| is near 1, with the bracket as a sum. */
REAL _Complex LIB(clog)(REAL _Complex z)
{
    REAL a = FN(fabs)(__real__ z), b = FN(fabs)(__imag__ z);
    REAL large = a > b ? a : b, small = a > b ? b : a;
    REAL size;
    if (large > K(0.5) && large < K(2.0) && small <= large) {
        REAL p, p_low, q, q_low, s, s_low;
        MACRO(TWO_PRODUCT)(p, p_low, large, large);
        MACRO(TWO_PRODUCT)(q, q_low, small, small);
        p -= K(1.0);
        TWO_SUM(s, s_low, p, q);
        size = K(0.5) * LIB(log1p)(s + (s_low + (p_low + q_low)));
    } else {
        /* Halves cannot overflow. */
        REAL shrink = large > NEARLY_TOO_LARGE && large < MACRO(INF) ? K(0.5) : K(1.0);
        size = LIB(log)(LIB(hypot)(shrink * a, shrink * b)) + (shrink < K(1.0) ? MACRO(LN2) : K(0.0));
    }
    REAL _Complex r;
    MAKE(r, size, LIB(atan2)(__imag__ z, __real__ z));
    return r;
}

/* With t = sqrt((|x| + |z|) / 2): t + i y/(2t) for x >= 0, |y|/(2t) +- i t else. */
REAL _Complex LIB(csqrt)(REAL _Complex z)
{
    REAL x = __real__ z, y = __imag__ z, a = FN(fabs)(x), b = FN(fabs)(y);
    REAL _Complex r;
    if (a == K(0.0) && b == K(0.0)) {
        MAKE(r, K(0.0), y);
        return r;
    }
    if (b == MACRO(INF)) {
        MAKE(r, MACRO(INF), y);
        return r;
    }
    if (a == MACRO(INF)) {
        if (x > K(0.0))
            MAKE(r, x, y != y ? y : FN(copysign)(K(0.0), y));
        else
            MAKE(r, y != y ? y : K(0.0), FN(copysign)(MACRO(INF), y));
        return r;
    }
    REAL large = a > b ? a : b;
    REAL scale = large > NEARLY_TOO_LARGE ? K(0x1p-4) : large < NEARLY_TOO_SMALL ? PICK(0x1p100, 0x1p40f) : K(1.0);
    REAL back = large > NEARLY_TOO_LARGE ? K(4.0) : large < NEARLY_TOO_SMALL ? PICK(0x1p-50, 0x1p-20f) : K(1.0);
    a *= scale;
    b *= scale;
    REAL t = FN(sqrt)(K(0.5) * (a + LIB(hypot)(a, b)));
    REAL other = b / (K(2.0) * t);
    t *= back;
    other *= back;
    if (x >= K(0.0))
        MAKE(r, t, FN(copysign)(other, y));
    else
        MAKE(r, other, FN(copysign)(t, y));
    return r;
}

/* sinh(x) cos(y) + i cosh(x) sin(y), cosh(x) cos(y) + i sinh(x) sin(y): the parts that they share. */
static inline void FN(hyperbolic_parts)(REAL x, REAL y, REAL *parts)
{
    REAL s, c;
    LIB(sincos)(y, &s, &c);
    REAL a = FN(fabs)(x);
    if (a > EXP_SAFE && a < MACRO(INF)) {
        /* e^|x| / 2 in two factors: the hyperbolic functions themselves would overflow. */
        REAL half = FN(exp_core)(a, K(0.0), -EXP_SHIFT - 1);
        REAL signed_half = FN(copysign)(half, x);
        parts[0] = FN(scaled)(signed_half * c, EXP_SHIFT);
        parts[1] = FN(scaled)(half * s, EXP_SHIFT);
        parts[2] = FN(scaled)(half * c, EXP_SHIFT);
        parts[3] = FN(scaled)(signed_half * s, EXP_SHIFT);
        return;
    }
    if (a == MACRO(INF) && !(FN(fabs)(y) < MACRO(INF))) {
        parts[0] = x;
        parts[1] = y - y;
        parts[2] = a;
        parts[3] = y - y;
        return;
    }
    REAL sh = LIB(sinh)(x), ch = LIB(cosh)(x);
    int exact = y == K(0.0) || (x == K(0.0) && !(FN(fabs)(y) < MACRO(INF)));
    parts[0] = exact && x == K(0.0) ? x : sh * c;
    parts[1] = y == K(0.0) ? y : ch * s;
    parts[2] = ch * c;
    parts[3] = y == K(0.0) || x == K(0.0) ? FN(copysign)(K(0.0), x) * FN(copysign)(K(1.0), y) : sh * s;
}

REAL _Complex LIB(csinh)(REAL _Complex z)
{
    REAL parts[4];
    FN(hyperbolic_parts)(__real__ z, __imag__ z, parts);
    REAL _Complex r;
    MAKE(r, parts[0], parts[1]);
    return r;
}

REAL _Complex LIB(ccosh)(REAL _Complex z)
{
    REAL parts[4];
    FN(hyperbolic_parts)(__real__ z, __imag__ z, parts);
    REAL _Complex r;
    MAKE(r, parts[2], parts[3]);
    return r;
}

/* With s = sinh(x): (s sqrt(1 + s^2) + i sin(y) cos(y)) / (s^2 + cos(y)^2). An error of s in the root takes back most of
 * what it does to the divisor.
 */
REAL _Complex LIB(ctanh)(REAL _Complex z)
{
    REAL x = __real__ z, y = __imag__ z;
    REAL _Complex r;
    if (FN(fabs)(x) > PICK(22.0, 12.0f)) {
        REAL s = K(0.0), c = K(1.0);
        if (FN(fabs)(y) < MACRO(INF))
            LIB(sincos)(y, &s, &c);
        REAL e = LIB(exp)(-FN(fabs)(x));
        MAKE(r, FN(copysign)(K(1.0), x), y == K(0.0) ? y : K(4.0) * s * c * e * e);
        return r;
    }
    if (y == K(0.0) || x != x) {
        MAKE(r, LIB(tanh)(x), y == K(0.0) ? y : x);
        return r;
    }
    REAL s, c, sh = LIB(sinh)(x);
    LIB(sincos)(y, &s, &c);
    /* Where both are tiny, the squares would be subnormal. */
    REAL scale = FN(fabs)(sh) < PICK(0x1p-400, 0x1p-50f) && FN(fabs)(c) < PICK(0x1p-400, 0x1p-50f) ? PICK(0x1p300, 0x1p40f) : K(1.0);
    REAL h = sh * scale, d = c * scale;
    REAL divisor = FN(fma)(h, h, d * d);
    MAKE(r, x == K(0.0) ? x : h * FN(sqrt)(FN(fma)(sh, sh, K(1.0))) / divisor * scale, s * d / divisor * scale);
    return r;
}

/* The circular functions are the hyperbolic ones of i z, turned back. */
static inline REAL _Complex FN(times_i)(REAL _Complex z)
{
    REAL _Complex r;
    MAKE(r, -__imag__ z, __real__ z);
    return r;
}

static inline REAL _Complex FN(over_i)(REAL _Complex z)
{
    REAL _Complex r;
    MAKE(r, __imag__ z, -__real__ z);
    return r;
}

REAL _Complex LIB(csin)(REAL _Complex z) { return FN(over_i)(LIB(csinh)(FN(times_i)(z))); }
REAL _Complex LIB(ccos)(REAL _Complex z) { return LIB(ccosh)(FN(times_i)(z)); }
REAL _Complex LIB(ctan)(REAL _Complex z) { return FN(over_i)(LIB(ctanh)(FN(times_i)(z))); }
