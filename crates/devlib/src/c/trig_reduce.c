/* Arguments of sine, cosine and tangent brought into [-pi/4, pi/4].
 *
 * x = q pi/2 + r. Up to 2^30, q pi/2 is subtracted in three pieces; the first step is exact because what is left has
 * no more bits than x and the piece have. Beyond, x / (pi/2) is multiplied out in integers with as much of 2/pi as
 * matters: the digits of weight 4 and more do not (Payne and Hanek), and 224 bits are enough for the rest.
 */
#include "common.h"

/* Word `i` of the binary digits of 2/pi behind the point. */
u32 __accrue_lib_two_over_pi(int i)
{
    switch (i) {
    case 0: return 0xa2f9836eu;
    case 1: return 0x4e441529u;
    case 2: return 0xfc2757d1u;
    case 3: return 0xf534ddc0u;
    case 4: return 0xdb629599u;
    case 5: return 0x3c439041u;
    case 6: return 0xfe5163abu;
    case 7: return 0xdebbc561u;
    case 8: return 0xb7246e3au;
    case 9: return 0x424dd2e0u;
    case 10: return 0x06492eeau;
    case 11: return 0x09d1921cu;
    case 12: return 0xfe1deb1cu;
    case 13: return 0xb129a73eu;
    case 14: return 0xe88235f5u;
    case 15: return 0x2ebb4484u;
    case 16: return 0xe99c7026u;
    case 17: return 0xb45f7e41u;
    case 18: return 0x3991d639u;
    case 19: return 0x835339f4u;
    case 20: return 0x9c845f8bu;
    case 21: return 0xbdf9283bu;
    case 22: return 0x1ff897ffu;
    case 23: return 0xde05980fu;
    case 24: return 0xef2f118bu;
    case 25: return 0x5a0a6d1fu;
    case 26: return 0x6d367ecfu;
    case 27: return 0x27cb09b7u;
    case 28: return 0x4f463f66u;
    case 29: return 0x9e5fea2du;
    case 30: return 0x7527bac7u;
    case 31: return 0xebe5f17bu;
    case 32: return 0x3d0739f7u;
    case 33: return 0x8a5292eau;
    case 34: return 0x6bfb5fb1u;
    case 35: return 0x1f8d5d08u;
    case 36: return 0x56033046u;
    case 37: return 0xfc7b6babu;
    default: return 0;
    }
}

/* q mod 4 of a finite x with |x| >= 2^30; rest[0] + rest[1] = r. */
int __accrue_trig_reduce(double x, double *rest)
{
    u64 m = (bits(x) & 0xfffffffffffffull) | 0x10000000000000ull;
    int e = FIELD(x) - 1075;
    int first = e >= 2 ? (e - 2) >> 5 : 0;
    /* The product of m and seven words of 2/pi, lowest word first; its point is left of bit `point`. */
    u32 p[10];
    u64 low = m & 0xffffffffu, high = m >> 32, carry = 0, carry_high = 0;
    p[0] = 0;
    u32 before = 0;
    for (int i = 0; i < 7; i++) {
        u64 w = __accrue_lib_two_over_pi(first + 6 - i);
        u64 sum = low * w + carry;
        carry = sum >> 32;
        u64 sum_high = high * before + carry_high + (sum & 0xffffffffu);
        carry_high = sum_high >> 32;
        p[i] = (u32)sum_high;
        before = (u32)w;
    }
    u64 sum = high * before + carry_high + carry;
    p[7] = (u32)sum;
    p[8] = (u32)(sum >> 32);
    p[9] = 0;
    int point = 224 - (e - 32 * first);
    int at = point >> 5, shift = point & 31;
    u32 q = (u32)(((u64)p[at + 1] << 32 | p[at]) >> shift) & 3;
    u64 fraction = 0, fraction_low = 0;
    for (int i = 0; i < 2; i++) {
        fraction = fraction << 32 | (u32)(((u64)p[at - i] << 32 | p[at - i - 1]) >> shift);
        fraction_low = fraction_low << 32 | (u32)(((u64)p[at - i - 2] << 32 | p[at - i - 3]) >> shift);
    }
    double sign = 1;
    if (fraction >> 63) {
        q += 1;
        sign = -1;
        fraction_low = ~fraction_low + 1;
        fraction = ~fraction + (fraction_low == 0);
    }
    double a = (double)(fraction >> 11) * 0x1p-53;
    double b = (double)((fraction & 0x7ff) << 53 | fraction_low >> 11) * 0x1p-117;
    double s, t;
    FAST_TWO_SUM(s, t, a, b);
    double r = s * PIO2;
    double r_low = fma(s, PIO2, -r) + fma(s, PIO2_LO, t * PIO2);
    if (bits(x) >> 63) {
        q = 0 - q;
        sign = -sign;
    }
    rest[0] = sign * r;
    rest[1] = sign * r_low;
    return (int)(q & 3);
}

/* Words `i` to `i + 3` of 2/pi, the highest first. Word 0 is what is before the point. */
static inline u32 word_for_float(u32 i)
{
    switch (i) {
    case 0: return 0u;
    case 1: return 0xa2f9836eu;
    case 2: return 0x4e441529u;
    case 3: return 0xfc2757d1u;
    case 4: return 0xf534ddc0u;
    case 5: return 0xdb629599u;
    case 6: return 0x3c439041u;
    case 7: return 0xfe5163abu;
    default: return 0xdebbc561u;
    }
}

/* r of a float x with |x| >= TRIG_MEDIUMF in the upper word, q mod 4 in the lower one; NaN for NaN and infinity.
 *
 * x = m 2^e with an integer m of 24 bits. Of 2/pi, 96 bits from weight 2^(2-e) on are enough: those before make multiples of
 * 4, those behind change r by less than 2^-70. Of the product only the lowest 96 bits are needed; the first two are q.
 */
u64 __accrue_lib_trig_large(float x)
{
    u32 m = (bitsf(x) & 0x7fffffu) | 0x800000u;
    /* 2^first is the weight of the window's first bit in a table that begins 32 bits before the point. */
    u32 first = (u32)FIELDF(x) - (127u + 25u - 32u);
    u32 i = first >> 5, shift = first & 31u;
    u32 a = word_for_float(i), b = word_for_float(i + 1), c = word_for_float(i + 2), d = word_for_float(i + 3);
    u32 high = (u32)(((u64)a << 32 | b) << shift >> 32), mid = (u32)(((u64)b << 32 | c) << shift >> 32),
        low = (u32)(((u64)c << 32 | d) << shift >> 32);
    u64 lower = (u64)low * m;
    u64 middle = (u64)mid * m + (lower >> 32);
    u64 product = ((u64)(high * m) << 32) + middle;
    /* A signed fraction of 62 bits, rounded to the nearest quarter. */
    u32 q = (u32)(product >> 62);
    u64 fraction = product << 2 | (lower & 0xffffffffu) >> 30;
    q += (u32)(fraction >> 63);
    float r = (float)((double)(long long)fraction * 0x1.921fb54442d18p-64);
    if (bitsf(x) >> 31) {
        q = 0u - q;
        r = -r;
    }
    if (FIELDF(x) == 0xff)
        r = NOT_A_NUMBERF;
    return (u64)bitsf(r) << 32 | (q & 3u);
}
