/* Instructions of the GPU that C has no operators for. This is what they do on the host; on the device the functions of
 * src/ptx/system.ptx take their place.
 */
#ifndef ACCRUE_DEVLIB_INSTRUCTIONS_H
#define ACCRUE_DEVLIB_INSTRUCTIONS_H

#include <math.h>

/* The bits of a number, and the number that bits are. */
static inline u64 __accrue_lib_bits(double x)
{
    union { double d; u64 u; } v;
    v.d = x;
    return v.u;
}

static inline double __accrue_lib_from_bits(u64 u)
{
    union { double d; u64 u; } v;
    v.u = u;
    return v.d;
}

static inline u32 __accrue_lib_bitsf(float x)
{
    union { float f; u32 u; } v;
    v.f = x;
    return v.u;
}

static inline float __accrue_lib_from_bitsf(u32 u)
{
    union { float f; u32 u; } v;
    v.u = u;
    return v.f;
}

#define bits __accrue_lib_bits
#define from_bits __accrue_lib_from_bits
#define bitsf __accrue_lib_bitsf
#define from_bitsf __accrue_lib_from_bitsf

/* Approximations: the GPU's have larger errors. */
static inline float __accrue_lib_sin(float x) { return (float)sin((double)x); }
static inline float __accrue_lib_cos(float x) { return (float)cos((double)x); }
static inline float __accrue_lib_exp2(float x) { return (float)exp2((double)x); }
static inline float __accrue_lib_log2(float x) { return (float)log2((double)x); }
static inline float __accrue_lib_reciprocal(float x) { return 1.0f / x; }

#define approx_sin __accrue_lib_sin
#define approx_cos __accrue_lib_cos
#define approx_exp2 __accrue_lib_exp2
#define approx_log2 __accrue_lib_log2
#define approx_reciprocal __accrue_lib_reciprocal

#endif
