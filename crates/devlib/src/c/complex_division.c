/* Division of complex numbers: float with the arithmetic of double, where nothing overflows; double by Smith's formula
 * with the scaling of Baudin and Smith ("A robust complex division in Scilab").
 */
#include "common.h"

/* The largest number over 2, over 8; a number whose ratios to others are normal; the factor that makes small ones so. */
#define HALF_OF_LARGEST 0x1.fffffffffffffp+1022
#define SMALL_DIVISOR 0x1p-969
#define LARGE_DIVIDEND 0x1p+970
#define SCALE_UP 0x1p53

/* (a + b i) / (c + d i) for |c| >= |d|: with r = d / c, (a + b r + (b - a r) i) / (c + d r). Where r is subnormal, the
 * products are formed in another order.
 */
static inline double _Complex smith(double a, double b, double c, double d)
{
    double ratio = d / c, denominator = c + d * ratio;
    int small = !(fabs(ratio) > 0x1p-1022);
    double with_b = small ? d * (b / c) : b * ratio;
    double with_a = small ? d * (a / c) : a * ratio;
    double _Complex r;
    MAKE(r, (a + with_b) / denominator, (b - with_a) / denominator);
    return r;
}

double _Complex __accrue_divdc3(double a, double b, double c, double d)
{
    double large = fabs(c) < fabs(d) ? fabs(d) : fabs(c), scale = 1.0;
    if (large >= HALF_OF_LARGEST)
        scale = 0.5;
    else if (large < SMALL_DIVISOR)
        scale = SCALE_UP;
    else if (large < LARGE_DIVIDEND && (fabs(a) < SMALL_DIVISOR || fabs(b) < SMALL_DIVISOR) && fabs(a) < LARGE_DIVIDEND && fabs(b) < LARGE_DIVIDEND)
        scale = SCALE_UP;
    a *= scale;
    b *= scale;
    c *= scale;
    d *= scale;
    double _Complex r;
    if (fabs(c) < fabs(d)) {
        /* Both numbers divided by i. */
        r = smith(b, -a, d, -c);
    } else {
        r = smith(a, b, c, d);
    }
    double x = __real__ r, y = __imag__ r;
    return x != x && y != y ? recovered_quotient(a, b, c, d, x, y) : r;
}

float _Complex __accrue_divsc3(float a, float b, float c, float d)
{
    double e = a, f = b, g = c, h = d;
    double denominator = g * g + h * h;
    float x = (float)((e * g + f * h) / denominator), y = (float)((f * g - e * h) / denominator);
    float _Complex r;
    MAKE(r, x, y);
    return x != x && y != y ? recovered_quotientf(a, b, c, d, x, y) : r;
}
