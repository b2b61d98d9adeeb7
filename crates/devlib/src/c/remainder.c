/* fmod, remainder, remquo: exact, by long division in steps of 50 binary digits.
 *
 * Both mantissas are integers below 2^53. A quotient below 2^50 from the divider is right or one too large, and a fused
 * multiply-add gives the rest exactly.
 */
#include "common.h"

/* The mantissa of |x| as an integer with 53 bits, and its exponent; x is finite and not 0. */
#define INTEGER_PARTS(x, m, e) \
    { \
        double normal = (x) < 0x1p-1022 ? (x) * 0x1p54 : (x); \
        e = FIELD(normal) - 1075 - ((x) < 0x1p-1022 ? 54 : 0); \
        m = from_bits((bits(normal) & 0xfffffffffffffull) | (u64)1075 << 52); \
    }

/* |x| mod |y| for finite x and y != 0; *quotient gets the low bits of the whole quotient. */
static double rest_of_division(double x, double y, u32 *quotient)
{
    *quotient = 0;
    if (x < y)
        return x;
    double r, m;
    int e, e_divisor;
    INTEGER_PARTS(x, r, e)
    INTEGER_PARTS(y, m, e_divisor)
    u32 q = r >= m;
    r -= r >= m ? m : 0.0;
    int n = e - e_divisor;
    while (n > 0) {
        int k = n < 50 ? n : 50;
        double shifted = r * POWER(k);
        double digits = trunc(shifted / m);
        r = fma(-digits, m, shifted);
        if (r < 0.0) {
            r += m;
            digits -= 1.0;
        }
        q = (k < 32 ? q << k : 0) + (u32)(u64)digits;
        n -= k;
    }
    *quotient = q;
    return __accrue_scalbn(r, e_divisor);
}

double __accrue_fmod(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (!(a < INF) || b == 0.0 || y != y)
        return NOT_A_NUMBER;
    u32 quotient;
    return copysign(rest_of_division(a, b, &quotient), x);
}

double __accrue_remquo(double x, double y, int *quotient)
{
    double a = fabs(x), b = fabs(y);
    *quotient = 0;
    if (!(a < INF) || b == 0.0 || y != y)
        return NOT_A_NUMBER;
    u32 q;
    double r = rest_of_division(a, b, &q);
    /* Three bits, before rounding, as glibc gives them: programs should not notice where they run. */
    q &= 7;
    /* The nearest multiple, the even one of two. */
    double other = b - r;
    if (r > other || (r == other && (q & 1))) {
        r = -other;
        q += 1;
    }
    *quotient = (bits(x) ^ bits(y)) >> 63 ? -(int)q : (int)q;
    return bits(x) >> 63 ? -r : r;
}

double __accrue_remainder(double x, double y)
{
    int quotient;
    return __accrue_remquo(x, y, &quotient);
}

/* The remainder of two floats is a float, so that double gives it exactly. */
float __accrue_fmodf(float x, float y) { return (float)__accrue_fmod(x, y); }
float __accrue_remainderf(float x, float y) { return (float)__accrue_remainder(x, y); }
float __accrue_remquof(float x, float y, int *quotient) { return (float)__accrue_remquo(x, y, quotient); }
