/* x = 2^e m and log(m) as a sum, the core of all logarithms.
 *
 * With m in [sqrt(1/2), sqrt(2)) and u = 2 (m-1) / (m+1): log(m) = 2 atanh(u/2) = u + u^3 P(u^2). The quotient's rounding
 * error is found again by a multiplication with the same reciprocal.
 */
#ifndef ACCRUE_DEVLIB_LOG_H
#define ACCRUE_DEVLIB_LOG_H

#include "common.h"

/* f = m - 1 and e of a positive, finite x; also for subnormal ones. */
#define LOG_SPLIT(x, e, f) \
    { \
        double normal = (x) < 0x1p-1022 ? (x) * 0x1p54 : (x); \
        u64 word = bits(normal) + (0x3ff0000000000000ull - 0x3fe6a09e667f3bcdull); \
        e = (int)(word >> 52) - 1023 - ((x) < 0x1p-1022 ? 54 : 0); \
        f = from_bits((word & 0xfffffffffffffull) + 0x3fe6a09e667f3bcdull) - 1.0; \
    }

#define LOG_SPLITF(x, e, f) \
    { \
        float normal = (x) < 0x1p-126f ? (x) * 0x1p24f : (x); \
        u32 word = bitsf(normal) + (0x3f800000u - 0x3f3504f3u); \
        e = (int)(word >> 23) - 127 - ((x) < 0x1p-126f ? 24 : 0); \
        f = from_bitsf((word & 0x7fffffu) + 0x3f3504f3u) - 1.0f; \
    }

/* 1 / x for x that are far from overflow and underflow: two of Newton's steps, 20 bits to 40 to 53. */
#define RECIPROCAL(result, x) \
    { \
        double first = coarse_reciprocal(x); \
        double second = fma(fma(-first, x, 1.0), first, first); \
        result = fma(fma(-second, x, 1.0), second, second); \
    }

/* u + u_low = 2 f / (2 + f). The error of the reciprocal goes into u_low. */
#define LOG_QUOTIENT(f, u, u_low) \
    { \
        double reciprocal; \
        RECIPROCAL(reciprocal, 2.0 + (f)) \
        u = 2.0 * (f) * reciprocal; \
        u_low = reciprocal * fma(-u, f, 2.0 * ((f) - u)); \
    }

#define LOG_QUOTIENTF(f, u, u_low) \
    { \
        float reciprocal = approx_reciprocal_ftz(2.0f + (f)); \
        u = 2.0f * (f) * reciprocal; \
        u_low = reciprocal * fmaf(-u, f, 2.0f * ((f) - u)); \
    }

/* high + low = log(x) with an error of 2^-65 of it; x is positive and finite. */
#define LOG_PRECISE(x, high, low) \
    { \
        int e; \
        double f, u, u_low, v, v_low, c, c_low, w, w_low, t, t_low; \
        LOG_SPLIT(x, e, f) \
        LOG_QUOTIENT(f, u, u_low) \
        TWO_PRODUCT(v, v_low, u, u); \
        v_low = fma(2.0 * u, u_low, v_low); \
        /* log(m) = u + u^3 (1/12 + u^2 P(u^2)). */ \
        FAST_TWO_SUM(c, c_low, 0x1.5555555555555p-4, v * POLY_POW(v)); \
        c_low += 0x1.5555555555555p-58; \
        TWO_PRODUCT(w, w_low, u, v); \
        w_low += fma(u, v_low, u_low * v); \
        TWO_PRODUCT(t, t_low, w, c); \
        t_low += fma(w, c_low, w_low * c) + u_low; \
        FAST_TWO_SUM(w, w_low, u, t); \
        t_low += w_low; \
        FAST_TWO_SUM(u, u_low, (double)e * 0x1.62e42fefa38p-1, w); \
        u_low += fma((double)e, 0x1.ef35793c7673p-45, t_low); \
        FAST_TWO_SUM(high, low, u, u_low); \
    }

/* high + low = log(x) with an error of 2^-32 of it; x is positive and finite. */
#define LOG_PRECISEF(x, high, low) \
    { \
        int e; \
        float f, u, u_low, v, v_low, c, c_low, w, w_low, t, t_low; \
        LOG_SPLITF(x, e, f) \
        LOG_QUOTIENTF(f, u, u_low) \
        TWO_PRODUCTF(v, v_low, u, u); \
        v_low = fmaf(2.0f * u, u_low, v_low); \
        /* log(m) = u + u^3 (1/12 + u^2 P(u^2)). */ \
        FAST_TWO_SUM(c, c_low, 0x1.555556p-4f, v * POLY_POWF(v)); \
        c_low += -0x1.555556p-29f; \
        TWO_PRODUCTF(w, w_low, u, v); \
        w_low += fmaf(u, v_low, u_low * v); \
        TWO_PRODUCTF(t, t_low, w, c); \
        t_low += fmaf(w, c_low, w_low * c) + u_low; \
        FAST_TWO_SUM(w, w_low, u, t); \
        t_low += w_low; \
        FAST_TWO_SUM(u, u_low, (float)e * 0x1.62e4p-1f, w); \
        u_low += fmaf((float)e, 0x1.7f7d1cp-20f, t_low); \
        FAST_TWO_SUM(high, low, u, u_low); \
    }

/* The result for x that are no positive finite numbers. */
static inline double log_special(double x)
{
    if (x == 0.0)
        return -INF;
    return x < 0.0 ? NOT_A_NUMBER : x;
}

static inline float logf_special(float x)
{
    if (x == 0.0f)
        return -INFF;
    return x < 0.0f ? NOT_A_NUMBERF : x;
}

#endif
