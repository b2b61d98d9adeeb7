/* sin, cos, tan, sincos of double. */
#include "trig.h"

double __accrue_sin(double x)
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
    double result;
    if (q & 1)
        result = cos_kernel(r, low);
    else
        result = sin_kernel(r, low);
    /* The kernel would lose the sign of -0. */
    if (x == 0.0)
        return x;
    return q & 2 ? -result : result;
}

double __accrue_cos(double x)
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
    double result;
    if (q & 1)
        result = sin_kernel(r, low);
    else
        result = cos_kernel(r, low);
    return (q + 1) & 2 ? -result : result;
}

void __accrue_sincos(double x, double *sine, double *cosine)
{
    int q;
    double r, low;
    if (fabs(x) < TRIG_MEDIUM) {
        TRIG_REDUCE(x, q, r, low)
    } else {
        double rest[2];
        if (!(fabs(x) < INF)) {
            *sine = x - x;
            *cosine = x - x;
            return;
        }
        q = __accrue_trig_reduce(x, rest);
        r = rest[0];
        low = rest[1];
    }
    double s = sin_kernel(r, low), c = cos_kernel(r, low);
    if (x == 0.0)
        s = x;
    double first = q & 1 ? c : s, second = q & 1 ? s : c;
    *sine = q & 2 ? -first : first;
    *cosine = (q + 1) & 2 ? -second : second;
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
