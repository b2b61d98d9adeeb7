/* sin, cos, tan, sincos of double. Large arguments are out of line; the rest of sine and cosine has no branches. */
#include "trig.h"

/* Sine, or with q = 1 cosine, 2 -sine, 3 -cosine. */
static inline double sine_of_turned_double(double r, double low, int q)
{
    double s = sin_kernel(r, low), c = cos_kernel(r, low);
    double result = q & 1 ? c : s;
    return q & 2 ? -result : result;
}

/* The same of |x| >= TRIG_MEDIUM and `turns` quarters more; NaN for NaN and infinity. */
double __accrue_lib_sine_of_large(double x, int turns)
{
    double rest[2];
    if (!(fabs(x) < INF))
        return x - x;
    int q = __accrue_trig_reduce(x, rest);
    return sine_of_turned_double(rest[0], rest[1], q + turns);
}

double __accrue_sin(double x)
{
    int q;
    double r, low;
    TRIG_REDUCE(x, q, r, low)
    double result = sine_of_turned_double(r, low, q);
    if (!(fabs(x) < TRIG_MEDIUM))
        result = __accrue_lib_sine_of_large(x, 0);
    /* The kernel would lose the sign of -0. */
    return x == 0.0 ? x : result;
}

double __accrue_cos(double x)
{
    int q;
    double r, low;
    TRIG_REDUCE(x, q, r, low)
    double result = sine_of_turned_double(r, low, q + 1);
    if (!(fabs(x) < TRIG_MEDIUM))
        result = __accrue_lib_sine_of_large(x, 1);
    return result;
}

void __accrue_sincos(double x, double *sine, double *cosine)
{
    *sine = __accrue_sin(x);
    *cosine = __accrue_cos(x);
}

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
