/* cpow. */
#include "exp.h"
#include "log.h"

/* p + p_low = (a + a_low) (b + b_low), with an error of 2^-104 of it; p is none of the factors. */
#define PAIR_PRODUCT(p, p_low, a, a_low, b, b_low) \
    (TWO_PRODUCT(p, p_low, a, b), p_low = fma(a, b_low, fma(a_low, b, p_low)))

/* Taylor's series of sine and cosine from t^7 and t^8 on, over these powers. */
#define SINE_TAIL(z) fma(fma(fma(fma(fma(fma(fma(fma(-0x1.761b41316381ap-75, z, 0x1.71b8ef6dcf572p-66), z, -0x1.2f49b46814157p-57), \
    z, 0x1.952c77030ad4ap-49), z, -0x1.ae7f3e733b81fp-41), z, 0x1.6124613a86d09p-33), z, -0x1.ae64567f544e4p-26), \
    z, 0x1.71de3a556c734p-19), z, -0x1.a01a01a01a01ap-13)
#define COSINE_TAIL(z) fma(fma(fma(fma(fma(fma(fma(-0x1.0ce396db7f853p-70, z, 0x1.e542ba4020225p-62), z, -0x1.6827863b97d97p-53), z, \
    0x1.ae7f3e733b81fp-45), z, -0x1.93974a8c07c9dp-37), z, 0x1.1eed8eff8d898p-29), z, -0x1.27e4fb7789f5cp-22), z, \
    0x1.a01a01a01a01ap-16)

/* parts[0] + parts[1] = sin(t), parts[2] + parts[3] = cos(t) for 0 <= t < 0.8, with an error of 2^-66. */
static void sine_and_cosine(double t, double *parts)
{
    double z, z_low, u, u_low, v, v_low;
    TWO_PRODUCT(z, z_low, t, t);
    FAST_TWO_SUM(u, u_low, 0x1.1111111111111p-7, z * (SINE_TAIL(z)));
    u_low += 0x1.1111111111111p-63;
    PAIR_PRODUCT(v, v_low, u, u_low, z, z_low);
    FAST_TWO_SUM(u, u_low, -0x1.5555555555555p-3, v);
    u_low += v_low + -0x1.5555555555555p-57;
    PAIR_PRODUCT(v, v_low, u, u_low, z, z_low);
    PAIR_PRODUCT(u, u_low, v, v_low, t, 0.0);
    FAST_TWO_SUM(v, v_low, t, u);
    parts[0] = v;
    parts[1] = v_low + u_low;

    FAST_TWO_SUM(u, u_low, -0x1.6c16c16c16c17p-10, z * (COSINE_TAIL(z)));
    u_low += 0x1.f49f49f49f49fp-65;
    PAIR_PRODUCT(v, v_low, u, u_low, z, z_low);
    FAST_TWO_SUM(u, u_low, 0x1.5555555555555p-5, v);
    u_low += v_low + 0x1.5555555555555p-59;
    PAIR_PRODUCT(v, v_low, u, u_low, z, z_low);
    FAST_TWO_SUM(u, u_low, -0.5, v);
    u_low += v_low;
    PAIR_PRODUCT(v, v_low, u, u_low, z, z_low);
    FAST_TWO_SUM(u, u_low, 1.0, v);
    parts[2] = u;
    parts[3] = u_low + v_low;
}

/* result[0] + result[1] = atan(b / a) for 0 <= b <= a, 0.7 <= a < 1.5: what the angle t of atan lacks is the angle that is
 * left of (a, b) turned back by t.
 */
static void precise_angle(double b, double a, double *result)
{
    double t = __accrue_atan2(b, a), parts[4], p, p_low, q, q_low, s, s_low;
    sine_and_cosine(t, parts);
    PAIR_PRODUCT(p, p_low, parts[2], parts[3], b, 0.0);
    PAIR_PRODUCT(q, q_low, parts[0], parts[1], a, 0.0);
    TWO_SUM(s, s_low, p, -q);
    s += s_low + (p_low - q_low);
    FAST_TWO_SUM(result[0], result[1], t, s / fma(parts[2], a, parts[0] * b));
}

/* log|x| as parts[0] + parts[1], the angle of x as parts[2] + parts[3]; x is finite and not 0. */
static void precise_log(double re, double im, double *parts)
{
    double a = fabs(re), b = fabs(im);
    double large = a > b ? a : b, small = a > b ? b : a;
    double factor = large > 0x1p600 ? 0x1p-400 : large < 0x1p-600 ? 0x1p400 : 1.0;
    int k = large > 0x1p600 ? 400 : large < 0x1p-600 ? -400 : 0;
    large *= factor;
    small *= factor;
    /* large 2^-shift in [sqrt(1/2), sqrt(2)): |x| near 1 is not taken apart. */
    int shift = (int)((bits(large) + (0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull)) >> 52) - 1023;
    large *= POWER(-shift);
    small *= POWER(-shift);
    k += shift;
    double p, p_low, q, q_low, n, n_low, high, low, s, s_low;
    TWO_PRODUCT(p, p_low, large, large);
    TWO_PRODUCT(q, q_low, small, small);
    FAST_TWO_SUM(n, n_low, p, q);
    n_low += p_low + q_low;
    LOG_PRECISE(n, high, low)
    low += n_low / n;
    TWO_SUM(s, s_low, (double)k * 0x1.62e42fefa38p-1, 0.5 * high);
    s_low += fma((double)k, 0x1.ef35793c7673p-45, 0.5 * low);
    FAST_TWO_SUM(parts[0], parts[1], s, s_low);

    double angle[2];
    precise_angle(small, large, angle);
    s = angle[0];
    s_low = angle[1];
    if (b > a) {
        TWO_SUM(p, p_low, PIO2, -s);
        s = p;
        s_low = p_low + (PIO2_LO - s_low);
    }
    if (bits(re) >> 63) {
        TWO_SUM(p, p_low, PI, -s);
        s = p;
        s_low = p_low + (PI_LO - s_low);
    }
    int below = (int)(bits(im) >> 63);
    parts[2] = below ? -s : s;
    parts[3] = below ? -s_low : s_low;
}

/* A product in which 0 times infinity or NaN is 0: a part that is exactly 0 stays 0. */
static inline double zero_wins(double zero, double other)
{
    return zero == 0.0 ? zero : zero * other;
}

/* e^(y log(x)) with the product as a sum of two numbers in each part. */
double _Complex __accrue_cpow(double _Complex x, double _Complex y)
{
    double a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
    double _Complex r;
    if (c == 0.0 && d == 0.0) {
        MAKE(r, 1.0, 0.0);
        return r;
    }
    if (a == 0.0 && b == 0.0 && c > 0.0) {
        MAKE(r, 0.0, 0.0);
        return r;
    }
    int usual = fabs(a) < INF && fabs(b) < INF && (a != 0.0 || b != 0.0);
    double re = INF, re_low, im, im_low;
    if (usual) {
        double l[4], p, p_low, q, q_low;
        precise_log(a, b, l);
        PAIR_PRODUCT(p, p_low, l[0], l[1], c, 0.0);
        PAIR_PRODUCT(q, q_low, l[2], l[3], d, 0.0);
        TWO_SUM(re, re_low, p, -q);
        re_low += p_low - q_low;
        PAIR_PRODUCT(p, p_low, l[0], l[1], d, 0.0);
        PAIR_PRODUCT(q, q_low, l[2], l[3], c, 0.0);
        TWO_SUM(im, im_low, p, q);
        im_low += p_low + q_low;
    }
    if (!usual || !(fabs(re) < 1000.0 && fabs(im) < 0x1p50)) {
        /* Too large, too small, or not a number. */
        r = __accrue_clog(x);
        re = __real__ r;
        im = __imag__ r;
        MAKE(r, fma(re, c, -zero_wins(d, im)), fma(im, c, zero_wins(d, re)));
        return __accrue_cexp(r);
    }
    double s, cs;
    __accrue_sincos(im, &s, &cs);
    double sine = fma(cs, im_low, s), cosine = fma(-s, im_low, cs);
    /* e^re may be too large where the result is not. */
    int k = re > 700.0 ? 600 : 0;
    double size = exp_core(re, re_low, -k);
    MAKE(r, scaled(size * cosine, k), scaled(size * sine, k));
    return r;
}

float _Complex __accrue_cpowf(float _Complex x, float _Complex y)
{
    double _Complex wide = __accrue_cpow(x, y);
    float _Complex r;
    MAKE(r, (float)__real__ wide, (float)__imag__ wide);
    return r;
}
