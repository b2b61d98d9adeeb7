/* Quotients with a divisor in common: its reciprocal once, then three operations for each.
 *
 *     y = reciprocal(b)           1 / b, rounded
 *     q = a y                     within two units of a / b
 *     r = a - b q                 exactly
 *     q = q + r y                 a / b, rounded: P. Markstein, "Computation of elementary functions on the IBM RISC System/6000
 *                                 processor", IBM Journal of Research and Development 34 (1990)
 *
 * The steps are those of a division by itself, of which the first would be done again for each. r is exact and the quotients are
 * normal if neither a nor a / b is tiny; a reciprocal that is not known to be rounded right is no number, and makes the quotient
 * none. In all these cases one divides (tests/quotient.rs).
 *
 * For float the same is no gain: a division has fewer steps there, and its rare cases, such as small exponentials divided by their
 * sum, are not rare.
 */
#include "common.h"

/* What comes here often is 0 divided by a number. */
double __accrue_lib_divide(double a, double b)
{
    if (a == 0.0 && fabs(b) > 0.0)
        return copysign(0.0, b) * copysign(1.0, a);
    return a / b;
}

/* The significands next below 2: their reciprocals are next to the middle between two numbers. */
#define IS_NEAR_MIDDLE(b) ((bits(b) & 0xfffffffffffffull) >= 0xffffffffffe00ull)

double __accrue_reciprocal(double b)
{
    double y = coarse_reciprocal(b);
    double e = fma(-b, y, 1.0);
    y = fma(y, fma(e, e, e), y);
    y = fma(y, fma(-b, y, 1.0), y);
    /* Neither b nor its reciprocal is subnormal, infinite or no number. */
    int is_usual = HIGH(b) - 0x00100000u < 0x7fc00000u - 0x00100000u;
    return is_usual && !IS_NEAR_MIDDLE(b) ? y : NOT_A_NUMBER;
}

double __accrue_quotient(double a, double b, double y)
{
    double q = a * y;
    q = fma(fma(-b, q, a), y, q);
    /* Upper words of doubles are in the same order as the floats with these bits. */
    float size = fabsf(from_bitsf((u32)(bits(a) >> 32))), least = fabsf(from_bitsf((u32)(bits(q) >> 32)));
    if (!(size >= 0x1.cp-121f && least >= 0x1p-126f))
        q = __accrue_lib_divide(a, b);
    return q;
}
