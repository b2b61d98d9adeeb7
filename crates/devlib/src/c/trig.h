/* Sine and cosine on [-pi/4, pi/4], and the way there for arguments that are not huge. */
#ifndef ACCRUE_DEVLIB_TRIG_H
#define ACCRUE_DEVLIB_TRIG_H

#include "common.h"

/* Up to here three pieces of pi/2 are enough. */
#define TRIG_MEDIUM 0x1p30
#define TRIG_MEDIUMF 0x1p16f

/* r + low = x - q pi/2 for |x| < TRIG_MEDIUM. What the rounding of r lost can be found again by two operations only where
 * the subtraction does not cancel much; where it does, r has an error of half a unit.
 */
#define TRIG_REDUCE(x, q, r, low) \
    { \
        double turn = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p+52); \
        double quotient = turn - 0x1.8p+52; \
        double step = fma(quotient, -PIO2, x); \
        q = (int)(u32)bits(turn); \
        r = fma(quotient, -PIO2_LO, step); \
        low = fabs(r) > 0x1p-20 ? fma(quotient, -PIO2_LO, step - r) : 0.0; \
        low = fma(quotient, 0x1.f1976b7ed8fbcp-110, low); \
    }

/* The same with r rounded, which is an error of one unit at most; the last bits of `q` are those of the integer. The pieces of pi/2 are
 * cut off, not rounded: so all are positive, and r is -0 for x = -0.
 */
#define PIO2_NEXT 0x1.1a62633145c06p-54
#define PIO2_LAST 0x1.c1cd129024e09p-107
#define TRIG_REDUCE_ROUNDED(x, q, r) \
    { \
        double turn = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p+52); \
        double quotient = turn - 0x1.8p+52; \
        q = (u32)bits(turn); \
        r = fma(quotient, -PIO2, x); \
        r = fma(quotient, -PIO2_NEXT, r); \
        r = fma(quotient, -PIO2_LAST, r); \
    }

/* sin(r + low). */
static inline double sin_kernel(double r, double low)
{
    double z = r * r;
    return r + fma(r * z, POLY_SIN(z), low * fma(-0.5, z, 1.0));
}

/* cos(r + low). */
static inline double cos_kernel(double r, double low)
{
    double z = r * r;
    double half = 0.5 * z;
    double c = 1.0 - half;
    return c + (((1.0 - c) - half) + fma(z * z, POLY_COS(z), -(r * low)));
}

/* The same for float: r = x - q pi/2 for |x| < TRIG_MEDIUMF. The last bits of `q` are those of the integer. The pieces of
 * pi/2 are cut off, not rounded: so all are positive, and r is -0 for x = -0.
 */
#define PIO2F_CUT 0x1.921fb4p+0f
#define PIO2F_NEXT 0x1.4442dp-24f
#define PIO2F_LAST 0x1.84698ap-48f
#define TRIG_REDUCEF(x, q, r) \
    { \
        float turn = fmaf(x, 0x1.45f306p-1f, 0x1.8p+23f); \
        float quotient = turn - 0x1.8p+23f; \
        q = bitsf(turn); \
        r = fmaf(quotient, -PIO2F_CUT, x); \
        r = fmaf(quotient, -PIO2F_NEXT, r); \
        r = fmaf(quotient, -PIO2F_LAST, r); \
    }

static inline float sinf_kernel(float r)
{
    float z = r * r;
    /* Of -0 the sum alone would be +0. */
    return copysignf(fmaf(r * z, POLY_SINF(z), r), r);
}

static inline float cosf_kernel(float r)
{
    float z = r * r;
    return fmaf(z * z, POLY_COSF(z), fmaf(-0.5f, z, 1.0f));
}

#endif
