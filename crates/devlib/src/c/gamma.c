/* tgamma, lgamma of double; the float versions use them. */
#include "exp.h"
#include "log.h"
#include "trig.h"

/* sin(pi x) for |x| < 2^52. */
static inline double sine_of_turns(double x)
{
    double half_turns = rint(2.0 * x);
    double r = fma(-0.5, half_turns, x);
    double t = r * PI;
    double low = fma(r, PI, -t) + r * PI_LO;
    int q = (int)((long long)half_turns & 3);
    double result = q & 1 ? cos_kernel(t, low) : sin_kernel(t, low);
    return q & 2 ? -result : result;
}

/* (n + n_low) / (d + d_low) */
static inline double quotient(double n, double n_low, double d, double d_low)
{
    double q = n / d;
    return q + (fma(-q, d, n) + fma(-q, d_low, n_low)) / d;
}

/* gamma(a) if sine = 0, else gamma(-a) with sine = -sin(pi a); 2^-54 <= a < 185.
 *
 * With y = a + n >= 10, gamma(y) = sqrt(2 pi) y^(y - 1/2) e^-y (1 + P(1/y)/y) and gamma(a) = gamma(y) / (a (a+1) …
 * (a+n-1)); gamma(-a) = -pi / (a sin(pi a) gamma(a)). All but the power are sums of two numbers; the power has a factor
 * 2^200 that keeps it normal.
 */
static double gamma_core(double a, double sine)
{
    double product = 1.0, product_low = 0.0, y = a, y_low = 0.0, n = 0.0;
    while (y < 10.0) {
        double p, p_low;
        TWO_PRODUCT(p, p_low, product, y);
        product_low = fma(product_low, y, fma(product, y_low, p_low));
        product = p;
        n += 1.0;
        TWO_SUM(y, y_low, n, a);
    }
    double high, low, p, p_low, e, e_low;
    LOG_PRECISE(y, high, low)
    TWO_PRODUCT(p, p_low, y - 0.5, high);
    p_low = fma(y - 0.5, low, p_low);
    TWO_SUM(e, e_low, p, -y);
    double w = 1.0 / y;
    e_low += fma(y_low, fma(-0.5, w, high), p_low);
    double series = w * POLY_GAMMA(w);
    double factor, factor_low;
    FAST_TWO_SUM(factor, factor_low, 0x1.40d931ff62706p+1, fma(0x1.40d931ff62706p+1, series, -0x1.a6a0d6f814637p-53));
    if (sine == 0.0)
        return exp_core(e, e_low, 0) * quotient(factor, factor_low, product, product_low);
    double d, d_low;
    TWO_PRODUCT(p, p_low, PI, product);
    p_low += fma(PI, product_low, PI_LO * product);
    TWO_PRODUCT(y, y_low, a, sine);
    TWO_PRODUCT(d, d_low, y, factor);
    d_low += fma(y, factor_low, y_low * factor);
    return exp_core(-e, -e_low, 200) * quotient(p, p_low, d, d_low) * 0x1p-200;
}

double __accrue_tgamma(double x)
{
    double a = fabs(x);
    if (a < 0x1p-54)
        return 1.0 / x;
    if (x > 0.0)
        return x < 172.0 ? gamma_core(x, 0.0) : x * 0x1p1023;
    if (x == trunc(x) || x != x)
        return NOT_A_NUMBER;
    double sine = -sine_of_turns(a);
    return a < 185.0 ? gamma_core(a, sine) : copysign(0.0, sine);
}

/* log(gamma(a)) for a > 0. */
static double log_gamma_positive(double a)
{
    if (a < 0.75) {
        double t = a - 1.0;
        double next = a < 0.25 ? a * POLY_LGAMMA1(a) : t * POLY_LGAMMA2(t);
        return next - __accrue_log(a);
    }
    if (a < 1.25) {
        double t = a - 1.0;
        /* + 0: the result at 1 and 2 is not -0. */
        return t * POLY_LGAMMA1(t) + 0.0;
    }
    if (a < 8.0) {
        double product = 1.0, y = a;
        while (y > 2.75) {
            y -= 1.0;
            product *= y;
        }
        double t = y - 2.0;
        double near = t * POLY_LGAMMA2(t) + 0.0;
        return product > 1.0 ? near + __accrue_log(product) : near;
    }
    double z = 1.0 / a;
    double rest = fma(z, POLY_STIRLING(z * z), 0x1.d67f1c864beb5p-1 - 0.5);
    return fma(a - 0.5, __accrue_log(a) - 1.0, rest);
}

/* The logarithm of gamma's absolute value. */
double __accrue_lgamma(double x)
{
    double a = fabs(x);
    if (!(a < INF))
        return x * x;
    if (a < 0x1p-60)
        return -__accrue_log(a);
    if (x > 0.0)
        return log_gamma_positive(x);
    if (x == trunc(x))
        return INF;
    return __accrue_log(PI / (a * fabs(sine_of_turns(a)))) - log_gamma_positive(a);
}

float __accrue_tgammaf(float x) { return (float)__accrue_tgamma(x); }
float __accrue_lgammaf(float x) { return (float)__accrue_lgamma(x); }
