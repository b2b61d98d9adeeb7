/* sin, cos, tan, sincos of double. Large arguments are reduced out of line; the rest of sine and cosine has no branches. */
#include "trig.h"

/* r for |x| >= TRIG_MEDIUM, and its quarter; NaN for NaN and infinity. Each reduces x by itself: a function with two results would keep
 * them in memory, also where x is small, and so large it hardly ever is.
 */
double __accrue_lib_turn_large(double x)
{
    double rest[2];
    if (!(fabs(x) < INF))
        return x - x;
    __accrue_trig_reduce(x, rest);
    return rest[0] + rest[1];
}

u32 __accrue_lib_turn_quarter_large(double x)
{
    double rest[2];
    if (!(fabs(x) < INF))
        return 0;
    return (u32)__accrue_trig_reduce(x, rest);
}

#define TRIG_REDUCE_ANY(x, q, r) \
    { \
        TRIG_REDUCE_ROUNDED(x, q, r) \
        if (HIGH(x) >= HIGH(TRIG_MEDIUM)) { \
            q = __accrue_lib_turn_quarter_large(x); \
            r = __accrue_lib_turn_large(x); \
        } \
    }

/* Sine of r and q quarters, with 2 -sine. Of -0 the sum alone would be +0. */
static inline double sine_of_turned_double(double r, u32 q)
{
    double z = r * r;
    double s = copysign(fma(r * z, POLY_SIN(z), r), r);
    double c = fma(z, fma(z, POLY_COS(z), -0.5), 1.0);
    double result = q & 1u ? c : s;
    return from_bits(bits(result) ^ (u64)(q & 2u) << 62);
}

double __accrue_sin(double x)
{
    u32 q;
    double r;
    TRIG_REDUCE_ANY(x, q, r)
    return sine_of_turned_double(r, q);
}

double __accrue_cos(double x)
{
    u32 q;
    double r;
    TRIG_REDUCE_ANY(x, q, r)
    return sine_of_turned_double(r, q + 1u);
}

void __accrue_sincos(double x, double *sine, double *cosine)
{
    u32 q;
    double r;
    TRIG_REDUCE_ANY(x, q, r)
    *sine = sine_of_turned_double(r, q);
    *cosine = sine_of_turned_double(r, q + 1u);
}

/* The two steps of sine and cosine, for those who want both: the rest and the quarter. */
double __accrue_turn(double x)
{
    u32 q;
    double r;
    TRIG_REDUCE_ROUNDED(x, q, r)
    return HIGH(x) >= HIGH(TRIG_MEDIUM) ? __accrue_lib_turn_large(x) : r;
}

u32 __accrue_turn_quarter(double x)
{
    u32 q = (u32)bits(fma(x, 0x1.45f306dc9c883p-1, 0x1.8p+52));
    return HIGH(x) >= HIGH(TRIG_MEDIUM) ? __accrue_lib_turn_quarter_large(x) : q;
}

double __accrue_turn_sin(double rest, u32 quarter) { return sine_of_turned_double(rest, quarter); }

double __accrue_turn_cos(double rest, u32 quarter) { return sine_of_turned_double(rest, quarter + 1u); }

/* The quotient of sine and cosine, each with what its rounding lost. */
double __accrue_tan(double x)
{
    int q;
    double r, low;
    if (fabs(x) < TRIG_MEDIUM) {
        TRIG_REDUCE(x, q, r, low)
    } else {
        double rest[2];
        if (!(fabs(x) < INF))
            return x - x;
        q = __accrue_trig_reduce(x, rest);
        r = rest[0];
        low = rest[1];
    }
    double z = r * r;
    double tail = fma(r * z, POLY_SIN(z), low * fma(-0.5, z, 1.0));
    double s, s_low, c, c_low;
    FAST_TWO_SUM(s, s_low, r, tail);
    double half = 0.5 * z;
    double near = 1.0 - half;
    tail = ((1.0 - near) - half) + fma(z * z, POLY_COS(z), fma(-0.5, fma(r, r, -z), -(r * low)));
    FAST_TWO_SUM(c, c_low, near, tail);
    double n = s, n_low = s_low, d = c, d_low = c_low;
    if (q & 1) {
        n = -c;
        n_low = -c_low;
        d = s;
        d_low = s_low;
    }
    if (x == 0.0)
        return x;
    double reciprocal = 1.0 / d;
    double t = n * reciprocal;
    double rest = fma(-t, d, n) + fma(-t, d_low, n_low);
    return fma(rest, reciprocal, t);
}
