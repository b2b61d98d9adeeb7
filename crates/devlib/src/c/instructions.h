/* Instructions of the GPU that C has no operators for. On the device a call of one of these functions is the instruction
 * (back-ptx/src/print/instructions.rs); here is what they do on the host.
 */
#ifndef ACCRUE_DEVLIB_INSTRUCTIONS_H
#define ACCRUE_DEVLIB_INSTRUCTIONS_H

#include <math.h>

#ifdef ACCRUE_DEVICE

u64 __accrue_lib_bits(double x);
double __accrue_lib_from_bits(u64 u);
u32 __accrue_lib_bitsf(float x);
float __accrue_lib_from_bitsf(u32 u);
float __accrue_lib_fma_sat(float a, float b, float c);
float __accrue_lib_sin(float x);
float __accrue_lib_cos(float x);
float __accrue_lib_exp2(float x);
float __accrue_lib_exp2_ftz(float x);
float __accrue_lib_log2(float x);
float __accrue_lib_reciprocal(float x);
float __accrue_lib_reciprocal_ftz(float x);
float __accrue_lib_rsqrt(float x);
double __accrue_lib_reciprocal_coarse(double x);
double __accrue_lib_rsqrt_coarse(double x);

#else

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

/* a b + c, brought into [0, 1]; NaN becomes 0. */
static inline float __accrue_lib_fma_sat(float a, float b, float c)
{
    float x = fmaf(a, b, c);
    return x > 0.0f ? x < 1.0f ? x : 1.0f : 0.0f;
}

/* Approximations. The GPU's have errors: PTX ISA, "Floating Point Instructions". Tests find out what becomes of the largest
 * ones with ACCRUE_SKEW = 1 and -1.
 */
#ifndef ACCRUE_SKEW
#define ACCRUE_SKEW 0
#endif
#define APPROXIMATION(value, error) ((value) * (1 + (ACCRUE_SKEW) * (error)))

/* 2^x; the error is 2^-22.5 of the power of two below. */
static inline double skewed_exp2(double x)
{
    double y = exp2(x);
    return y > 0 && y <= 0x1p1023 ? y + (ACCRUE_SKEW) * ldexp(0x1.6a09e667f3bcdp-23, ilogb(y)) : y;
}

/* Zero for subnormal numbers. */
static inline float flushed(float x) { return fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x; }

static inline float __accrue_lib_sin(float x) { return (float)sin((double)x); }
static inline float __accrue_lib_cos(float x) { return (float)cos((double)x); }
static inline float __accrue_lib_exp2(float x) { return (float)skewed_exp2((double)x); }
static inline float __accrue_lib_exp2_ftz(float x) { return flushed((float)skewed_exp2((double)flushed(x))); }
static inline float __accrue_lib_log2(float x) { return (float)log2((double)x); }
static inline float __accrue_lib_reciprocal(float x) { return (float)APPROXIMATION(1.0 / x, 0x1p-23); }
static inline float __accrue_lib_reciprocal_ftz(float x) { return flushed((float)APPROXIMATION(1.0 / flushed(x), 0x1p-23)); }
static inline float __accrue_lib_rsqrt(float x) { return (float)APPROXIMATION(1.0 / sqrt((double)x), 0x1p-22); }

/* Of the double versions, the low words of argument and result are zero. */
static inline double upper_word(double x)
{
    x = __accrue_lib_from_bits(__accrue_lib_bits(x) & 0xffffffff00000000ull);
    return fabs(x) < 0x1p-1022 ? copysign(0.0, x) : x;
}
static inline double __accrue_lib_reciprocal_coarse(double x) { return upper_word(APPROXIMATION(1.0 / upper_word(x), 0x1p-20)); }
static inline double __accrue_lib_rsqrt_coarse(double x) { return upper_word(APPROXIMATION(1.0 / sqrt(upper_word(x)), 0x1p-20)); }

#endif

#define bits __accrue_lib_bits
#define from_bits __accrue_lib_from_bits
#define bitsf __accrue_lib_bitsf
#define from_bitsf __accrue_lib_from_bitsf
#define fma_sat __accrue_lib_fma_sat
#define approx_sin __accrue_lib_sin
#define approx_cos __accrue_lib_cos
#define approx_exp2 __accrue_lib_exp2
#define approx_exp2_ftz __accrue_lib_exp2_ftz
#define approx_log2 __accrue_lib_log2
#define approx_reciprocal __accrue_lib_reciprocal
#define approx_reciprocal_ftz __accrue_lib_reciprocal_ftz
#define approx_rsqrt __accrue_lib_rsqrt
#define coarse_reciprocal __accrue_lib_reciprocal_coarse
#define coarse_rsqrt __accrue_lib_rsqrt_coarse

#endif
