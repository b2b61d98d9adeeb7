/* Inverse complex functions, with the special values of C's Annex G.
 *
 * The formulas are Kahan's ("Branch cuts for complex elementary functions"): with square roots of 1 - z and 1 + z taken
 * apart, zeros keep their signs on the cuts and nothing cancels.
 */
#include "common.h"

/* Both roots of a finite z: parts[0] + i parts[1] = sqrt(1 - z), parts[2] + i parts[3] = sqrt(1 + z). */
static inline void FN(roots)(REAL x, REAL y, REAL *parts)
{
    REAL _Complex z;
    MAKE(z, K(1.0) - x, -y);
    z = LIB(csqrt)(z);
    parts[0] = __real__ z;
    parts[1] = __imag__ z;
    MAKE(z, K(1.0) + x, y);
    z = LIB(csqrt)(z);
    parts[2] = __real__ z;
    parts[3] = __imag__ z;
}

REAL _Complex LIB(cacos)(REAL _Complex z)
{
    REAL x = __real__ z, y = __imag__ z, parts[4];
    REAL _Complex r;
    if (FN(fabs)(x) == MACRO(INF) || FN(fabs)(y) == MACRO(INF)) {
        MAKE(r, LIB(atan2)(FN(fabs)(y), x), -FN(copysign)(MACRO(INF), y));
        return r;
    }
    if (x != x || y != y) {
        MAKE(r, x == K(0.0) ? MACRO(PIO2) : MACRO(NOT_A_NUMBER), MACRO(NOT_A_NUMBER));
        return r;
    }
    FN(roots)(x, y, parts);
    REAL real = K(2.0) * LIB(atan2)(parts[0], parts[2]);
    MAKE(r, real, LIB(asinh)(FN(fma)(parts[2], parts[1], -parts[3] * parts[0])));
    return r;
}

/* acosh(z) = +- i acos(z), with a real part that is not negative. */
REAL _Complex LIB(cacosh)(REAL _Complex z)
{
    REAL _Complex w = LIB(cacos)(z), r;
    REAL size = FN(fabs)(__imag__ w);
    if (__real__ w != __real__ w && __imag__ w != __imag__ w)
        MAKE(r, MACRO(NOT_A_NUMBER), MACRO(NOT_A_NUMBER));
    else
        MAKE(r, size, FN(copysign)(__real__ w, __imag__ z));
    return r;
}

/* asinh(z) = i asin(-i z): the roots are of 1 +- i z. */
REAL _Complex LIB(casinh)(REAL _Complex z)
{
    REAL x = __real__ z, y = __imag__ z, parts[4];
    REAL _Complex r;
    if (FN(fabs)(x) == MACRO(INF) || FN(fabs)(y) == MACRO(INF)) {
        MAKE(r, FN(copysign)(MACRO(INF), x), LIB(atan2)(y, FN(fabs)(x)));
        return r;
    }
    if (x != x || y != y) {
        MAKE(r, MACRO(NOT_A_NUMBER), y == K(0.0) ? y : MACRO(NOT_A_NUMBER));
        return r;
    }
    FN(roots)(y, -x, parts);
    REAL real = LIB(asinh)(FN(fma)(parts[2], parts[1], -parts[3] * parts[0]));
    MAKE(r, real, LIB(atan2)(y, FN(fma)(parts[0], parts[2], -parts[1] * parts[3])));
    return r;
}

REAL _Complex LIB(casin)(REAL _Complex z)
{
    REAL _Complex r;
    MAKE(r, -__imag__ z, __real__ z);
    z = LIB(casinh)(r);
    MAKE(r, __imag__ z, -__real__ z);
    return r;
}

/* log1p(4x / ((1-x)^2 + y^2)) / 4 + i atan2(2y, (1-x)(1+x) - y^2) / 2 */
REAL _Complex LIB(catanh)(REAL _Complex z)
{
    REAL x = FN(fabs)(__real__ z), y = FN(fabs)(__imag__ z), real, imaginary;
    REAL large = x > y ? x : y;
    if (x == MACRO(INF) || y == MACRO(INF) || large > PICK(0x1p500, 0x1p60f)) {
        REAL size = LIB(hypot)(x, y);
        real = size < MACRO(INF) ? x / size / size : K(0.0);
        imaginary = y != y ? y : MACRO(PIO2);
    } else if (x == K(1.0) && y < PICK(0x1p-500, 0x1p-60f)) {
        real = y == K(0.0) ? MACRO(INF) : K(0.5) * (MACRO(LN2) - LIB(log)(y));
        imaginary = K(0.5) * LIB(atan2)(K(2.0), -y);
        imaginary = y == K(0.0) ? K(0.0) : imaginary;
    } else {
        REAL near = K(1.0) - x;
        real = K(0.25) * LIB(log1p)(K(4.0) * x / FN(fma)(near, near, y * y));
        imaginary = K(0.5) * LIB(atan2)(K(2.0) * y, FN(fma)(near, K(1.0) + x, -(y * y)));
        real = x == K(0.0) ? K(0.0) : real;
    }
    REAL _Complex r;
    MAKE(r, FN(copysign)(real, __real__ z), FN(copysign)(imaginary, __imag__ z));
    return r;
}

REAL _Complex LIB(catan)(REAL _Complex z)
{
    REAL _Complex r;
    MAKE(r, -__imag__ z, __real__ z);
    z = LIB(catanh)(r);
    MAKE(r, __imag__ z, -__real__ z);
    return r;
}
