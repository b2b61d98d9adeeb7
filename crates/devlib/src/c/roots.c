/* cbrt, hypot, rsqrt. */
#include "common.h"

/* x = 2^(3k) t with t in [1, 8); r approximates 1/cbrt(t), from a line through its bits, by Newton steps of third order;
 * the last step is on the root itself, with the exact residue.
 */
double __accrue_cbrt(double x)
{
    double a = fabs(x);
    if (a == 0.0 || !(a < INF))
        return x;
    int shift = 0;
    if (a < 0x1p-1022) {
        a *= 0x1p54;
        shift = -18;
    }
    /* 1200 = 3 * 400 keeps the dividend positive; 1023 + 177 = 1200. */
    u32 field = (u32)FIELD(a) + 177u;
    u32 third = field / 3u;
    double t = from_bits((bits(a) & 0xfffffffffffffull) | (u64)(1023u + field - 3u * third) << 52);
    double r = from_bitsf(0x54a21d2au - bitsf((float)t) / 3u);
    double h = fma(-t * r, r * r, 1.0);
    r = fma(r * h, fma(h, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), r);
    h = fma(-t * r, r * r, 1.0);
    r = fma(r * h, fma(h, 0x1.c71c71c71c71cp-3, 0x1.5555555555555p-2), r);
    h = fma(-t * r, r * r, 1.0);
    r = fma(r * h, 0x1.5555555555555p-2, r);
    double y = t * r * r;
    double square, square_low;
    TWO_PRODUCT(square, square_low, y, y);
    double residue = fma(-y, square_low, fma(-y, square, t));
    y = fma(residue * 0x1.5555555555555p-2, r * r, y);
    return copysign(y * POWER((int)third - 400 + shift), x);
}

double __accrue_hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (a == INF || b == INF)
        return INF;
    double large = a > b ? a : b, small = a > b ? b : a;
    if (x != x || y != y)
        return x + y;
    double scale = large > 0x1p500 ? 0x1p-600 : large < 0x1p-450 ? 0x1p600 : 1.0;
    double back = large > 0x1p500 ? 0x1p600 : large < 0x1p-450 ? 0x1p-600 : 1.0;
    large *= scale;
    small *= scale;
    return back * sqrt(fma(large, large, small * small));
}

/* 1 / sqrt(x): one step of third order, 20 bits to 60. For the minimum see rsqrtf. */
double __accrue_rsqrt(double x)
{
    int is_small = x < 0x1p-1022;
    double a = is_small ? x * 0x1p54 : x;
    double y = coarse_rsqrt(a);
    double residue = fmin(fma(-(a * y), y, 1.0), 0x1p-10);
    y = fma(y * residue, fma(0.375, residue, 0.5), y);
    return is_small ? y * 0x1p27 : y;
}
