/* What all files of the library share.
 *
 * The code is the subset of C that accrue compiles for devices: no `goto`, no tables outside functions. Results must have
 * the same bits on the host and on a device, so that the tests on the host count; therefore it is compiled without
 * contraction, and every fused multiply-add is written as one.
 */
#ifndef ACCRUE_DEVLIB_COMMON_H
#define ACCRUE_DEVLIB_COMMON_H

#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "coefficients.h"

typedef unsigned int u32;
typedef unsigned long long u64;

#include "instructions.h"

/* 2^n for a normal result, and the exponent field of |x|. */
#define POWER(n) from_bits((u64)(1023 + (n)) << 52)
#define POWERF(n) from_bitsf((u32)(127 + (n)) << 23)
#define FIELD(x) ((int)(bits(x) >> 52) & 0x7ff)
#define FIELDF(x) ((int)(bitsf(x) >> 23) & 0xff)

/* The upper word of |x|, which sizes of doubles can be compared by. */
#define HIGH(x) ((u32)(bits(x) >> 32) & 0x7fffffffu)

#define INF (__builtin_inf())
#define INFF (__builtin_inff())
#define NOT_A_NUMBER (__builtin_nan(""))
#define NOT_A_NUMBERF (__builtin_nanf(""))

/* ln 2, log2(e), pi/2 and pi as sums of two numbers. */
#define LN2 0x1.62e42fefa39efp-1
#define LN2_LO 0x1.abc9e3b39803fp-56
#define LOG2E 0x1.71547652b82fep+0
#define LOG2E_LO 0x1.777d0ffda0d24p-56
#define LN2F 0x1.62e43p-1f
#define LN2F_LO (-0x1.05c61p-29f)
#define LOG2EF 0x1.715476p+0f
#define LOG2EF_LO 0x1.4ae0cp-26f
#define PIO2 0x1.921fb54442d18p+0
#define PIO2_LO 0x1.1a62633145c07p-54
#define PI 0x1.921fb54442d18p+1
#define PI_LO 0x1.1a62633145c07p-53
#define PIO2F 0x1.921fb6p+0f
#define PIO2F_LO (-0x1.777a5cp-25f)

/* s + e = a + b exactly, if |a| >= |b| or a = 0. */
#define FAST_TWO_SUM(s, e, a, b) (s = (a) + (b), e = (b) - (s - (a)))

/* s + e = a + b exactly. */
#define TWO_SUM(s, e, a, b) (s = (a) + (b), e = ((a) - (s - (s - (a)))) + ((b) - (s - (a))))

/* p + e = a b exactly. */
#define TWO_PRODUCT(p, e, a, b) (p = (a) * (b), e = fma(a, b, -p))
#define TWO_PRODUCTF(p, e, a, b) (p = (a) * (b), e = fmaf(a, b, -p))

/* Puts a complex number together; arithmetic with I would touch the sign of zeros. */
#define MAKE(z, re, im) (z = __builtin_complex(re, im))

#include "functions.h"

#endif
