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
        double quotient = rint((x) * 0x1.45f306dc9c883p-1); \
        double step = fma(quotient, -PIO2, x); \
        q = (int)quotient; \
        r = fma(quotient, -PIO2_LO, step); \
        low = fabs(r) > 0x1p-20 ? fma(quotient, -PIO2_LO, step - r) : 0.0; \
        low = fma(quotient, 0x1.f1976b7ed8fbcp-110, low); \
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

/* The same for float: r = x - q pi/2 for |x| < TRIG_MEDIUMF. */
#define TRIG_REDUCEF(x, q, r) \
    { \
        float quotient = rintf((x) * 0x1.45f306p-1f); \
        q = (int)quotient; \
        r = fmaf(quotient, -PIO2F, x); \
        r = fmaf(quotient, -PIO2F_LO, r); \
        r = fmaf(quotient, 0x1.ee59dap-50f, r); \
    }

static inline float sinf_kernel(float r)
{
    float z = r * r;
    return fmaf(r * z, POLY_SINF(z), r);
}

static inline float cosf_kernel(float r)
{
    float z = r * r;
    return fmaf(z * z, POLY_COSF(z), fmaf(-0.5f, z, 1.0f));
}

#endif
