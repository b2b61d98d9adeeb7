/* cbrtf, hypotf, rsqrtf. */
#include "common.h"

float __accrue_cbrtf(float x)
{
    float a = fabsf(x);
    if (a == 0.0f || !(a < INFF))
        return x;
    int shift = 0;
    if (a < 0x1p-126f) {
        a *= 0x1p24f;
        shift = -8;
    }
    /* 127 + 23 = 150 = 3 * 50. */
    u32 field = (u32)FIELDF(a) + 23u;
    u32 third = field / 3u;
    float t = from_bitsf((bitsf(a) & 0x7fffffu) | (127u + field - 3u * third) << 23);
    float r = from_bitsf(0x54a21d2au - bitsf(t) / 3u);
    float h = fmaf(-t * r, r * r, 1.0f);
    r = fmaf(r * h, fmaf(h, 0x1.c71c72p-3f, 0x1.555556p-2f), r);
    h = fmaf(-t * r, r * r, 1.0f);
    r = fmaf(r * h, 0x1.555556p-2f, r);
    float y = t * r * r;
    float square, square_low;
    TWO_PRODUCTF(square, square_low, y, y);
    float residue = fmaf(-y, square_low, fmaf(-y, square, t));
    y = fmaf(residue * 0x1.555556p-2f, r * r, y);
    return copysignf(y * POWERF((int)third - 50 + shift), x);
}

float __accrue_hypotf(float x, float y)
{
    float a = fabsf(x), b = fabsf(y);
    if (a == INFF || b == INFF)
        return INFF;
    float large = a > b ? a : b, small = a > b ? b : a;
    if (x != x || y != y)
        return x + y;
    float scale = large > 0x1p60f ? 0x1p-70f : large < 0x1p-50f ? 0x1p90f : 1.0f;
    float back = large > 0x1p60f ? 0x1p70f : large < 0x1p-50f ? 0x1p-90f : 1.0f;
    large *= scale;
    small *= scale;
    return back * sqrtf(fmaf(large, large, small * small));
}

/* 1 / sqrt(x): one of Newton's steps. For 0 and infinity its residue is NaN, of which the minimum makes a number that does no
 * harm; other residues are far below it.
 */
float __accrue_rsqrtf(float x)
{
    float y = approx_rsqrt(x);
    float residue = fminf(fmaf(-(x * y), y, 1.0f), 0x1p-10f);
    return fmaf(0.5f * y, residue, y);
}
