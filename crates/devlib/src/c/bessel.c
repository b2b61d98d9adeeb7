/* j0, j1, jn, y0, y1, yn; the float versions use those of double.
 *
 * Up to 2 polynomials in x^2, with Y's logarithm apart; up to 8 polynomials around the zeros, which keep their relative
 * accuracy there. Beyond,
 * J = sqrt(2 / (pi x)) (P cos(x - phase) - Q sin(x - phase)) and Y = sqrt(2 / (pi x)) (P sin(x - phase) + Q cos(x - phase))
 * with phase = pi/4 or 3 pi/4; errors are small beside the amplitude sqrt(2 / (pi x)), not beside values next to zeros.
 */
#include "common.h"

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define ONE_OVER_PI 0x1.45f306dc9c883p-2

/* sqrt(2 / (pi x)) (p (sine + cosine) + q (sine - cosine)) / sqrt(2), where order 0 and 1 differ in p and q only. */
static inline double wave(double x, double p, double q)
{
    double s, c;
    __accrue_sincos(x, &s, &c);
    return sqrt(ONE_OVER_PI / x) * fma(p, s + c, q * (s - c));
}

/* x - (zero + zero_low), exact next to the zero. */
static inline double distance(double x, double zero, double zero_low)
{
    return (x - zero) - zero_low;
}

double __accrue_j0(double x)
{
    double a = fabs(x);
    if (a <= 2.0)
        return fma(a * a, POLY_J0_NEAR(a * a), 1.0);
    if (a <= 4.0) {
        double d = distance(a, 0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53);
        return d * POLY_J0_2(d);
    }
    if (a <= 8.0) {
        double d = distance(a, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54);
        return d * POLY_J0_5(d);
    }
    if (!(a < INF))
        return a == INF ? 0.0 : x;
    double w = 8.0 / a, z = w * w;
    return wave(a, POLY_P0(z), -POLY_Q0(z) / a);
}

double __accrue_j1(double x)
{
    double a = fabs(x), result;
    if (a <= 2.0)
        return x * fma(a * a, POLY_J1_NEAR(a * a), 0.5);
    if (a <= 5.5) {
        double d = distance(a, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53);
        result = d * POLY_J1_3(d);
    } else if (a <= 8.0) {
        double d = distance(a, 0x1.c0ff5f3b4725p+2, -0x1.b226d9d243827p-54);
        result = d * POLY_J1_7(d);
    } else {
        double w = 8.0 / a, z = w * w;
        result = a < INF ? wave(a, POLY_Q1(z) / a, POLY_P1(z)) : a == INF ? 0.0 : a;
    }
    return x < 0.0 ? -result : result;
}

double __accrue_y0(double x)
{
    if (!(x > 0.0 && x < INF))
        return x == 0.0 ? -INF : x > 0.0 ? 0.0 : NOT_A_NUMBER;
    if (x <= 2.0)
        return fma(TWO_OVER_PI * __accrue_log(x), __accrue_j0(x), POLY_Y0_NEAR(x * x));
    if (x <= 5.5) {
        double d = distance(x, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54);
        return d * POLY_Y0_3(d);
    }
    if (x <= 8.0) {
        double d = distance(x, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54);
        return d * POLY_Y0_7(d);
    }
    double w = 8.0 / x, z = w * w;
    return wave(x, POLY_Q0(z) / x, POLY_P0(z));
}

double __accrue_y1(double x)
{
    if (!(x > 0.0 && x < INF))
        return x == 0.0 ? -INF : x > 0.0 ? 0.0 : NOT_A_NUMBER;
    if (x <= 2.0)
        return fma(TWO_OVER_PI * __accrue_log(x), __accrue_j1(x), x * POLY_Y1_NEAR(x * x)) - TWO_OVER_PI / x;
    if (x <= 3.8) {
        double d = distance(x, 0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55);
        return d * POLY_Y1_2(d);
    }
    if (x <= 8.0) {
        double d = distance(x, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52);
        return d * POLY_Y1_5(d);
    }
    double w = 8.0 / x, z = w * w;
    return wave(x, -POLY_P1(z), POLY_Q1(z) / x);
}

/* J of order n > x > 0: the recurrence downwards from where it does not matter with what it starts, and
 * J0 + 2 (J2 + J4 + …) = 1 for the scale.
 */
static double bessel_downwards(int n, double x)
{
    int m = n + 20 + (int)sqrt(40.0 * n);
    m += m & 1;
    double above = 0.0, here = 0x1p-900, sum = 0.0, wanted = 0.0, two_over_x = 2.0 / x;
    for (int k = m; k > 0; k--) {
        double below = fma((double)k * two_over_x, here, -above);
        above = here;
        here = below;
        if (fabs(here) > 0x1p400) {
            here *= 0x1p-600;
            above *= 0x1p-600;
            sum *= 0x1p-600;
            wanted *= 0x1p-600;
        }
        if (k - 1 == n)
            wanted = here;
        if (((k - 1) & 1) == 0)
            sum += k == 1 ? here : 2.0 * here;
    }
    return wanted / sum;
}

double __accrue_jn(int n, double x)
{
    double a = fabs(x), result;
    int order = n < 0 ? -n : n;
    int negative = (order & 1) && ((n < 0) != (x < 0.0));
    if (x != x)
        return x;
    if (order == 0)
        return __accrue_j0(a);
    if (a == 0.0 || a == INF) {
        result = 0.0;
    } else if (order == 1) {
        result = __accrue_j1(a);
    } else if (order < a) {
        double before = __accrue_j0(a);
        result = __accrue_j1(a);
        for (int k = 1; k < order; k++) {
            double next = fma(2.0 * k / a, result, -before);
            before = result;
            result = next;
        }
    } else {
        /* (x/2)^n / n! is too small for a double, or x so small that the recurrence would overflow. */
        result = a < 0x1p-300 ? 0.0 : bessel_downwards(order, a);
    }
    return negative ? -result : result;
}

double __accrue_yn(int n, double x)
{
    int order = n < 0 ? -n : n;
    double sign = n < 0 && (order & 1) ? -1.0 : 1.0;
    if (order == 0)
        return __accrue_y0(x);
    if (!(x > 0.0 && x < INF))
        return x == 0.0 ? -sign * INF : x > 0.0 ? 0.0 : NOT_A_NUMBER;
    double before = __accrue_y0(x), result = __accrue_y1(x);
    for (int k = 1; k < order && result > -INF; k++) {
        double next = fma(2.0 * k / x, result, -before);
        before = result;
        result = next;
    }
    return sign * result;
}

float __accrue_j0f(float x) { return (float)__accrue_j0(x); }
float __accrue_j1f(float x) { return (float)__accrue_j1(x); }
float __accrue_y0f(float x) { return (float)__accrue_y0(x); }
float __accrue_y1f(float x) { return (float)__accrue_y1(x); }
float __accrue_jnf(int n, float x) { return (float)__accrue_jn(n, x); }
float __accrue_ynf(int n, float x) { return (float)__accrue_yn(n, x); }
