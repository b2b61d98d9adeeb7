typedef struct {
    REAL re, im;
} COMPLEX;

// Numbers of 64 bits: where the device has them.
#if IN_DOUBLE || defined(cl_khr_fp64)

static COMPLEX COMPLEX_make(REAL re, REAL im)
{
    COMPLEX z;
    z.re = re;
    z.im = im;
    return z;
}

static COMPLEX COMPLEX_add(COMPLEX x, COMPLEX y)
{
    return COMPLEX_make(x.re + y.re, x.im + y.im);
}

static COMPLEX COMPLEX_sub(COMPLEX x, COMPLEX y)
{
    return COMPLEX_make(x.re - y.re, x.im - y.im);
}

static COMPLEX COMPLEX_neg(COMPLEX x)
{
    return COMPLEX_make(-x.re, -x.im);
}

static COMPLEX COMPLEX_conj(COMPLEX x)
{
    return COMPLEX_make(x.re, -x.im);
}

static bool COMPLEX_eq(COMPLEX x, COMPLEX y)
{
    return x.re == y.re && x.im == y.im;
}

// 1 for an infinity, else 0, with the sign of x.
static REAL COMPLEX_boxed(REAL x)
{
    return copysign(isinf(x) ? (REAL)1 : (REAL)0, x);
}

static REAL COMPLEX_number(REAL x)
{
    return isnan(x) ? copysign((REAL)0, x) : x;
}

static COMPLEX COMPLEX_mul(COMPLEX x, COMPLEX y)
{
    REAL a = x.re, b = x.im, c = y.re, d = y.im;
    REAL ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    COMPLEX z = COMPLEX_make(a * c - b * d, a * d + b * c);
    if (!isnan(z.re) || !isnan(z.im))
        return z;
    // Infinite operands may still make an infinite result (C11, G.5.1).
    bool infinite = isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc);
    if (isinf(a) || isinf(b)) {
        a = COMPLEX_boxed(a);
        b = COMPLEX_boxed(b);
        infinite = true;
    }
    if (isinf(c) || isinf(d)) {
        c = COMPLEX_boxed(c);
        d = COMPLEX_boxed(d);
        infinite = true;
    }
    if (!infinite)
        return z;
    a = COMPLEX_number(a);
    b = COMPLEX_number(b);
    c = COMPLEX_number(c);
    d = COMPLEX_number(d);
    return COMPLEX_make((REAL)INFINITY * (a * c - b * d), (REAL)INFINITY * (a * d + b * c));
}

// (a + b i) / (c + d i), from a quotient of which both parts are NaN (C11, G.5.1).
static COMPLEX COMPLEX_recovered(REAL a, REAL b, REAL c, REAL d, COMPLEX z)
{
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {
        REAL infinity = copysign((REAL)INFINITY, c);
        return COMPLEX_make(infinity * a, infinity * b);
    }
    REAL factor;
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = COMPLEX_boxed(a);
        b = COMPLEX_boxed(b);
        factor = INFINITY;
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
        c = COMPLEX_boxed(c);
        d = COMPLEX_boxed(d);
        factor = 0;
    } else {
        return z;
    }
    return COMPLEX_make(factor * (a * c + b * d), factor * (b * c - a * d));
}

// |c| >= |d|: with r = d / c, (a + b r + (b - a r) i) / (c + d r). Where r is subnormal, the products have another order.
static COMPLEX COMPLEX_smith(REAL a, REAL b, REAL c, REAL d)
{
    REAL ratio = d / c, denominator = c + d * ratio;
    bool small = !(fabs(ratio) > SMALLEST);
    REAL with_b = small ? d * (b / c) : b * ratio;
    REAL with_a = small ? d * (a / c) : a * ratio;
    return COMPLEX_make((a + with_b) / denominator, (b - with_a) / denominator);
}

// Scaled after Baudin and Smith ("A robust complex division in Scilab"); numbers of 32 bits in 64, where nothing overflows.
static COMPLEX COMPLEX_div(COMPLEX x, COMPLEX y)
{
    REAL a = x.re, b = x.im, c = y.re, d = y.im;
#if IN_DOUBLE && defined(cl_khr_fp64)
    double e = a, f = b, g = c, h = d, denominator = g * g + h * h;
    COMPLEX z = COMPLEX_make((REAL)((e * g + f * h) / denominator), (REAL)((f * g - e * h) / denominator));
#else
    REAL large = fabs(c) < fabs(d) ? fabs(d) : fabs(c), scale = 1;
    if (large >= HALF_OF_LARGEST)
        scale = (REAL)0.5f;
    else if (large < SMALL_DIVISOR)
        scale = SCALE_UP;
    else if (large < LARGE_DIVIDEND && (fabs(a) < SMALL_DIVISOR || fabs(b) < SMALL_DIVISOR) && fabs(a) < LARGE_DIVIDEND &&
             fabs(b) < LARGE_DIVIDEND)
        scale = SCALE_UP;
    a *= scale;
    b *= scale;
    c *= scale;
    d *= scale;
    COMPLEX z = fabs(c) < fabs(d) ? COMPLEX_smith(b, -a, d, -c) : COMPLEX_smith(a, b, c, d);
#endif
    return isnan(z.re) && isnan(z.im) ? COMPLEX_recovered(a, b, c, d, z) : z;
}

static COMPLEX COMPLEX_exp(COMPLEX z)
{
    if (z.im == 0)
        return COMPLEX_make(exp(z.re), z.im);
    if (!isfinite(z.im) && isinf(z.re))
        return z.re > 0 ? COMPLEX_make(z.re, z.im - z.im) : COMPLEX_make(0, 0);
    REAL cosine, sine = sincos(z.im, &cosine);
    // e^x may be too large where the result is not.
    REAL safe = sizeof(REAL) == 8 ? 700 : 85;
    REAL size = exp(z.re > safe ? (REAL)0.5f * z.re : z.re);
    COMPLEX r = COMPLEX_make(size * cosine, size * sine);
    return z.re > safe ? COMPLEX_make(size * r.re, size * r.im) : r;
}

// log|z| = log1p(|z|^2 - 1) / 2 where |z| is near 1, with the bracket as a sum.
static COMPLEX COMPLEX_log(COMPLEX z)
{
#pragma OPENCL FP_CONTRACT OFF
    REAL a = fabs(z.re), b = fabs(z.im), large = a > b ? a : b, small = a > b ? b : a, size;
    if (large > (REAL)0.5f && large < 2 && small <= large) {
        REAL p = large * large, q = small * small, low = fma(large, large, -p) + fma(small, small, -q);
        p -= 1;
        REAL sum = p + q, of_q = sum - p;
        low += (p - (sum - of_q)) + (q - of_q);
        size = (REAL)0.5f * log1p(sum + low);
    } else {
        // Quarters cannot overflow.
        REAL part = large > 1 ? (REAL)0.25f : 1;
        size = log(hypot(part * a, part * b)) - log(part);
    }
    return COMPLEX_make(size, atan2(z.im, z.re));
}

// With t = sqrt((|x| + |z|) / 2): t + i y/(2t) for x >= 0, |y|/(2t) +- i t else.
static COMPLEX COMPLEX_sqrt(COMPLEX z)
{
    REAL a = fabs(z.re), b = fabs(z.im);
    if (a == 0 && b == 0)
        return COMPLEX_make(0, z.im);
    if (isinf(b))
        return COMPLEX_make(b, z.im);
    if (isinf(a) && z.re > 0)
        return COMPLEX_make(z.re, isnan(z.im) ? z.im : copysign((REAL)0, z.im));
    if (isinf(a))
        return COMPLEX_make(isnan(z.im) ? z.im : 0, copysign(a, z.im));
    // The sum in between is formed of numbers that are neither too large nor too small.
    REAL most = a > b ? a : b, scale = 1, back = 1;
    if (most > HALF_OF_LARGEST / 8) {
        scale = (REAL)0.0625f;
        back = 4;
    } else if (most < SMALLEST * 1024) {
        scale = ldexp((REAL)1, sizeof(REAL) == 8 ? 100 : 40);
        back = ldexp((REAL)1, sizeof(REAL) == 8 ? -50 : -20);
    }
    a *= scale;
    b *= scale;
    REAL t = sqrt((REAL)0.5f * (a + hypot(a, b))), other = b / (2 * t);
    t *= back;
    other *= back;
    return z.re >= 0 ? COMPLEX_make(t, copysign(other, z.im)) : COMPLEX_make(other, copysign(t, z.im));
}

#endif
