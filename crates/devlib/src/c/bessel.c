/* j0, j1, jn, y0, y1, yn; the float versions use those of double.
 *
 * Near 0 polynomials in x^2, with Y's logarithm apart; then up to 7 or 8 polynomials around the zeros, which keep their
 * relative accuracy there. Beyond,
 * J = sqrt(2 / (pi x)) M cos(phase) and Y = sqrt(2 / (pi x)) M sin(phase) with phase = x - pi/4 - 1/(8 x) + …, for order 1
 * x - 3 pi/4 + 3/(8 x) + …. The phase is a sum of two numbers, so that results next to zeros are good there, too.
 */
#include "common.h"
#include "trig.h"

#define TWO_OVER_PI 0x1.45f306dc9c883p-1
#define PIO4 0x1.921fb54442d18p-1
#define PIO4_LO 0x1.1a62633145c07p-55

/* sqrt(2 / (pi x)) modulus cos(phase), or sin(phase) if `is_sine`, for finite x >= 7; phase = x - pi/4 + first / x + rest
 * - turns pi/2.
 */
static double wave(double x, double modulus, double first, double rest, int turns, int is_sine)
{
    int q;
    double r, low;
    if (x < TRIG_MEDIUM) {
        TRIG_REDUCE(x, q, r, low)
    } else {
        double sum[2];
        q = __accrue_trig_reduce(x, sum);
        r = sum[0];
        low = sum[1];
    }
    double term = first / x, term_low = fma(-term, x, first) / x + rest;
    double s, s_low, t, t_low;
    TWO_SUM(s, s_low, r, -PIO4);
    TWO_SUM(t, t_low, s, term);
    t_low += s_low + (low - PIO4_LO + term_low);
    if (t < -PIO4) {
        double lost = t_low - -PIO2_LO;
        TWO_SUM(s, s_low, t, PIO2);
        t = s;
        t_low = s_low + lost;
        q -= 1;
    }
    FAST_TWO_SUM(s, s_low, t, t_low);
    q -= turns;
    double result = (q + is_sine) & 1 ? sin_kernel(s, s_low) : cos_kernel(s, s_low);
    int negative = is_sine ? q & 2 : (q + 1) & 2;
    double size = sqrt(TWO_OVER_PI / x) * modulus;
    return negative ? -(size * result) : size * result;
}

static inline double wave0(double x, int is_sine)
{
    double z = 49.0 / (x * x);
    return wave(x, POLY_MODULUS0(z), -0.125, POLY_PHASE0(z) * z / (49.0 * x), 0, is_sine);
}

static inline double wave1(double x, int is_sine)
{
    double z = 49.0 / (x * x);
    return wave(x, POLY_MODULUS1(z), 0.375, POLY_PHASE1(z) * z / (49.0 * x), 1, is_sine);
}

/* x - (zero + zero_low), exact next to the zero. */
static inline double distance(double x, double zero, double zero_low)
{
    return (x - zero) - zero_low;
}

double __accrue_j0(double x)
{
    double a = fabs(x);
    if (a <= 1.5)
        return fma(a * a, POLY_J0_NEAR(a * a), 1.0);
    if (a <= 4.0) {
        double d = distance(a, 0x1.33d152e971b4p+1, -0x1.0f539d7da258ep-53);
        return d * POLY_J0_2(d);
    }
    if (a <= 7.0) {
        double d = distance(a, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54);
        return d * POLY_J0_5(d);
    }
    if (!(a < INF))
        return a == INF ? 0.0 : x;
    return wave0(a, 0);
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
    } else if (a < INF) {
        result = wave1(a, 0);
    } else {
        result = a == INF ? 0.0 : a;
    }
    return x < 0.0 ? -result : result;
}

double __accrue_y0(double x)
{
    if (!(x > 0.0 && x < INF))
        return x == 0.0 ? -INF : x > 0.0 ? 0.0 : NOT_A_NUMBER;
    if (x >= 0.75 && x <= 1.15) {
        double d = distance(x, 0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56);
        return d * POLY_Y0_0(d);
    }
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
    return wave0(x, 1);
}

double __accrue_y1(double x)
{
    if (!(x > 0.0 && x < INF))
        return x == 0.0 ? -INF : x > 0.0 ? 0.0 : NOT_A_NUMBER;
    if (x <= 1.6)
        return fma(TWO_OVER_PI * __accrue_log(x), __accrue_j1(x), x * POLY_Y1_NEAR(x * x)) - TWO_OVER_PI / x;
    if (x <= 3.8) {
        double d = distance(x, 0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55);
        return d * POLY_Y1_2(d);
    }
    if (x <= 7.0) {
        double d = distance(x, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52);
        return d * POLY_Y1_5(d);
    }
    return wave1(x, 1);
}

/* One step of the recurrence in sums of two numbers, state = { here, its low part, before, its low part }: here becomes
 * factor here - before, for a factor of 2 k / x.
 */
static inline void recur(double k, double two_over_x, double two_over_x_low, double *state)
{
    double f, f_low, p, p_low, s, s_low;
    TWO_PRODUCT(f, f_low, k, two_over_x);
    f_low = fma(k, two_over_x_low, f_low);
    TWO_PRODUCT(p, p_low, f, state[0]);
    p_low = fma(f, state[1], fma(f_low, state[0], p_low));
    TWO_SUM(s, s_low, p, -state[2]);
    s_low += p_low - state[3];
    state[2] = state[0];
    state[3] = state[1];
    FAST_TWO_SUM(state[0], state[1], s, s_low);
}

/* J of order n > 0 by the recurrence downwards, from an order above n and x where it does not matter with what it starts,
 * and J0 + 2 (J2 + J4 + …) = 1 for the scale.
 */
static double bessel_downwards(int n, double x)
{
    double larger = n > x ? (double)n : x;
    int m = (int)larger + 20 + (int)sqrt(40.0 * larger);
    m += m & 1;
    double state[4] = {0x1p-900, 0.0, 0.0, 0.0};
    double sum = 0.0, sum_low = 0.0, wanted = 0.0, wanted_low = 0.0, t, t_low;
    double two_over_x = 2.0 / x, two_over_x_low = fma(-two_over_x, x, 2.0) / x;
    for (int k = m; k > 0; k--) {
        recur((double)k, two_over_x, two_over_x_low, state);
        if (fabs(state[0]) > 0x1p400) {
            for (int i = 0; i < 4; i++)
                state[i] *= 0x1p-600;
            sum *= 0x1p-600;
            sum_low *= 0x1p-600;
            wanted *= 0x1p-600;
            wanted_low *= 0x1p-600;
        }
        if (k - 1 == n) {
            wanted = state[0];
            wanted_low = state[1];
        }
        if (((k - 1) & 1) == 0) {
            double weight = k == 1 ? 1.0 : 2.0;
            TWO_SUM(t, t_low, sum, weight * state[0]);
            sum_low += t_low + weight * state[1];
            sum = t;
        }
    }
    FAST_TWO_SUM(t, t_low, sum, sum_low);
    double q = wanted / t;
    return q + (fma(-q, t, wanted) + fma(-q, t_low, wanted_low)) / t;
}

/* Order n >= 1 from those of order 0 and 1. */
static double bessel_upwards(int n, double x, double zeroth, double first)
{
    double state[4] = {first, 0.0, zeroth, 0.0};
    double two_over_x = 2.0 / x, two_over_x_low = fma(-two_over_x, x, 2.0) / x;
    for (int k = 1; k < n && state[0] > -INF; k++)
        recur((double)k, two_over_x, two_over_x_low, state);
    return state[0] + state[1];
}

/* Up to here J is computed downwards even if its order is smaller: then it is as good as J0 and J1. */
#define DOWNWARDS_MOST 100.0

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
    } else if (order < a && a > DOWNWARDS_MOST) {
        result = bessel_upwards(order, a, __accrue_j0(a), __accrue_j1(a));
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
    /* About -(2 / x)^n. */
    if (order > 1 && x < 0x1p-500)
        return -sign * INF;
    double result = bessel_upwards(order, x, __accrue_y0(x), __accrue_y1(x));
    return sign * (result == result ? result : -INF);
}

float __accrue_j0f(float x) { return (float)__accrue_j0(x); }
float __accrue_j1f(float x) { return (float)__accrue_j1(x); }
float __accrue_y0f(float x) { return (float)__accrue_y0(x); }
float __accrue_y1f(float x) { return (float)__accrue_y1(x); }
float __accrue_jnf(int n, float x) { return (float)__accrue_jn(n, x); }
float __accrue_ynf(int n, float x) { return (float)__accrue_yn(n, x); }
