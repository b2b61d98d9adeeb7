#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#else
#define double ulong
#endif
#ifndef ACCRUE_ADDRESS
#define ACCRUE_ADDRESS(number) (number)
#endif
#pragma OPENCL FP_CONTRACT OFF
typedef struct {
    double re, im;
} accrue_c64;

// Numbers of 64 bits: where the device has them.
#if 0 || defined(cl_khr_fp64)

static accrue_c64 accrue_c64_make(double re, double im)
{
    accrue_c64 z;
    z.re = re;
    z.im = im;
    return z;
}

static accrue_c64 accrue_c64_add(accrue_c64 x, accrue_c64 y)
{
    return accrue_c64_make(x.re + y.re, x.im + y.im);
}

static accrue_c64 accrue_c64_sub(accrue_c64 x, accrue_c64 y)
{
    return accrue_c64_make(x.re - y.re, x.im - y.im);
}

static accrue_c64 accrue_c64_neg(accrue_c64 x)
{
    return accrue_c64_make(-x.re, -x.im);
}

static accrue_c64 accrue_c64_conj(accrue_c64 x)
{
    return accrue_c64_make(x.re, -x.im);
}

static bool accrue_c64_eq(accrue_c64 x, accrue_c64 y)
{
    return x.re == y.re && x.im == y.im;
}

// 1 for an infinity, else 0, with the sign of x.
static double accrue_c64_boxed(double x)
{
    return copysign(isinf(x) ? (double)1 : (double)0, x);
}

static double accrue_c64_number(double x)
{
    return isnan(x) ? copysign((double)0, x) : x;
}

static accrue_c64 accrue_c64_mul(accrue_c64 x, accrue_c64 y)
{
    double a = x.re, b = x.im, c = y.re, d = y.im;
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    accrue_c64 z = accrue_c64_make(a * c - b * d, a * d + b * c);
    if (!isnan(z.re) || !isnan(z.im))
        return z;
    // Infinite operands may still make an infinite result (C11, G.5.1).
    bool infinite = isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc);
    if (isinf(a) || isinf(b)) {
        a = accrue_c64_boxed(a);
        b = accrue_c64_boxed(b);
        infinite = true;
    }
    if (isinf(c) || isinf(d)) {
        c = accrue_c64_boxed(c);
        d = accrue_c64_boxed(d);
        infinite = true;
    }
    if (!infinite)
        return z;
    a = accrue_c64_number(a);
    b = accrue_c64_number(b);
    c = accrue_c64_number(c);
    d = accrue_c64_number(d);
    return accrue_c64_make((double)INFINITY * (a * c - b * d), (double)INFINITY * (a * d + b * c));
}

// (a + b i) / (c + d i), from a quotient of which both parts are NaN (C11, G.5.1).
static accrue_c64 accrue_c64_recovered(double a, double b, double c, double d, accrue_c64 z)
{
    if (c == 0 && d == 0 && (!isnan(a) || !isnan(b))) {
        double infinity = copysign((double)INFINITY, c);
        return accrue_c64_make(infinity * a, infinity * b);
    }
    double factor;
    if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = accrue_c64_boxed(a);
        b = accrue_c64_boxed(b);
        factor = INFINITY;
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
        c = accrue_c64_boxed(c);
        d = accrue_c64_boxed(d);
        factor = 0;
    } else {
        return z;
    }
    return accrue_c64_make(factor * (a * c + b * d), factor * (b * c - a * d));
}

// |c| >= |d|: with r = d / c, (a + b r + (b - a r) i) / (c + d r). Where r is subnormal, the products have another order.
static accrue_c64 accrue_c64_smith(double a, double b, double c, double d)
{
    double ratio = d / c, denominator = c + d * ratio;
    bool small = !(fabs(ratio) > 0x1p-1022);
    double with_b = small ? d * (b / c) : b * ratio;
    double with_a = small ? d * (a / c) : a * ratio;
    return accrue_c64_make((a + with_b) / denominator, (b - with_a) / denominator);
}

// Scaled after Baudin and Smith ("A robust complex division in Scilab"); numbers of 32 bits in 64, where nothing overflows.
static accrue_c64 accrue_c64_div(accrue_c64 x, accrue_c64 y)
{
    double a = x.re, b = x.im, c = y.re, d = y.im;
#if 0 && defined(cl_khr_fp64)
    double e = a, f = b, g = c, h = d, denominator = g * g + h * h;
    accrue_c64 z = accrue_c64_make((double)((e * g + f * h) / denominator), (double)((f * g - e * h) / denominator));
#else
    double large = fabs(c) < fabs(d) ? fabs(d) : fabs(c), scale = 1;
    if (large >= 0x1.fffffffffffffp+1022)
        scale = (double)0.5f;
    else if (large < 0x1p-969)
        scale = 0x1p53;
    else if (large < 0x1p+970 && (fabs(a) < 0x1p-969 || fabs(b) < 0x1p-969) && fabs(a) < 0x1p+970 &&
             fabs(b) < 0x1p+970)
        scale = 0x1p53;
    a *= scale;
    b *= scale;
    c *= scale;
    d *= scale;
    accrue_c64 z = fabs(c) < fabs(d) ? accrue_c64_smith(b, -a, d, -c) : accrue_c64_smith(a, b, c, d);
#endif
    return isnan(z.re) && isnan(z.im) ? accrue_c64_recovered(a, b, c, d, z) : z;
}

static accrue_c64 accrue_c64_exp(accrue_c64 z)
{
    if (z.im == 0)
        return accrue_c64_make(exp(z.re), z.im);
    if (!isfinite(z.im) && isinf(z.re))
        return z.re > 0 ? accrue_c64_make(z.re, z.im - z.im) : accrue_c64_make(0, 0);
    double cosine, sine = sincos(z.im, &cosine);
    // e^x may be too large where the result is not.
    double safe = sizeof(double) == 8 ? 700 : 85;
    double size = exp(z.re > safe ? (double)0.5f * z.re : z.re);
    accrue_c64 r = accrue_c64_make(size * cosine, size * sine);
    return z.re > safe ? accrue_c64_make(size * r.re, size * r.im) : r;
}

// log|z| = log1p(|z|^2 - 1) / 2 where |z| is near 1, with the bracket as a sum.
static accrue_c64 accrue_c64_log(accrue_c64 z)
{
#pragma OPENCL FP_CONTRACT OFF
    double a = fabs(z.re), b = fabs(z.im), large = a > b ? a : b, small = a > b ? b : a, size;
    if (large > (double)0.5f && large < 2 && small <= large) {
        double p = large * large, q = small * small, low = fma(large, large, -p) + fma(small, small, -q);
        p -= 1;
        double sum = p + q, of_q = sum - p;
        low += (p - (sum - of_q)) + (q - of_q);
        size = (double)0.5f * log1p(sum + low);
    } else {
        // Quarters cannot overflow.
        double part = large > 1 ? (double)0.25f : 1;
        size = log(hypot(part * a, part * b)) - log(part);
    }
    return accrue_c64_make(size, atan2(z.im, z.re));
}

// With t = sqrt((|x| + |z|) / 2): t + i y/(2t) for x >= 0, |y|/(2t) +- i t else.
static accrue_c64 accrue_c64_sqrt(accrue_c64 z)
{
    double a = fabs(z.re), b = fabs(z.im);
    if (a == 0 && b == 0)
        return accrue_c64_make(0, z.im);
    if (isinf(b))
        return accrue_c64_make(b, z.im);
    if (isinf(a) && z.re > 0)
        return accrue_c64_make(z.re, isnan(z.im) ? z.im : copysign((double)0, z.im));
    if (isinf(a))
        return accrue_c64_make(isnan(z.im) ? z.im : 0, copysign(a, z.im));
    // The sum in between is formed of numbers that are neither too large nor too small.
    double most = a > b ? a : b, scale = 1, back = 1;
    if (most > 0x1.fffffffffffffp+1022 / 8) {
        scale = (double)0.0625f;
        back = 4;
    } else if (most < 0x1p-1022 * 1024) {
        scale = ldexp((double)1, sizeof(double) == 8 ? 100 : 40);
        back = ldexp((double)1, sizeof(double) == 8 ? -50 : -20);
    }
    a *= scale;
    b *= scale;
    double t = sqrt((double)0.5f * (a + hypot(a, b))), other = b / (2 * t);
    t *= back;
    other *= back;
    return z.re >= 0 ? accrue_c64_make(t, copysign(other, z.im)) : accrue_c64_make(other, copysign(t, z.im));
}

#endif

struct point;
struct point {
    float x;
    float y;
    float z;
    float w;
};
typedef char accrue_size_of_struct_point[sizeof(struct point) == 16 ? 1 : -1];
typedef char accrue_place_in_struct_point_x[__builtin_offsetof(struct point, x) == 0 ? 1 : -1];
typedef char accrue_place_in_struct_point_y[__builtin_offsetof(struct point, y) == 4 ? 1 : -1];
typedef char accrue_place_in_struct_point_z[__builtin_offsetof(struct point, z) == 8 ? 1 : -1];
typedef char accrue_place_in_struct_point_w[__builtin_offsetof(struct point, w) == 12 ? 1 : -1];

static void f_set(__global float *, float);

static void f_set(__global float *p, float p_2)
{
    *p = p_2;
    return;
}

//@kernel in_turn
__kernel void in_turn(ulong word_0, ulong word_1, ulong word_2, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = (__global float *)ACCRUE_ADDRESS(word_0);
    __global float *v_2 = (__global float *)ACCRUE_ADDRESS(word_1);
    int v_3 = (int)word_2;
    if ((int)get_local_id(0) == 0) {
        for (int i = 0; i < v_3; ++i) {
            v_2[i] = v[i];
        }
    }
    return;
}

//@kernel in_turn_disjoint
__kernel void in_turn_disjoint(__global float *restrict word_0, ulong word_1, ulong word_2, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = word_0;
    __global float *v_2 = (__global float *)ACCRUE_ADDRESS(word_1);
    int v_3 = (int)word_2;
    if ((int)get_local_id(0) == 0) {
        for (int i = 0; i < v_3; ++i) {
            v_2[i] = v[i];
        }
    }
    return;
}

//@kernel in_any_order
__kernel void in_any_order(ulong word_0, ulong word_1, ulong word_2, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = (__global float *)ACCRUE_ADDRESS(word_0);
    __global float *v_2 = (__global float *)ACCRUE_ADDRESS(word_1);
    int v_3 = (int)word_2;
    if ((int)get_local_id(0) == 0) {
        for (int i = (int)get_local_id(0); i < v_3; i += (int)get_local_size(0)) {
            v_2[i] = v[i];
        }
    }
    return;
}

//@kernel in_place
__kernel void in_place(ulong word_0, ulong word_1, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = (__global float *)ACCRUE_ADDRESS(word_0);
    int v_2 = (int)word_1;
    if ((int)get_local_id(0) == 0) {
        for (int i = 0; i < v_2; ++i) {
            v[i] = v[i];
        }
    }
    return;
}

//@kernel either
__kernel void either(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = (__global float *)ACCRUE_ADDRESS(word_0);
    __global float *v_2 = (__global float *)ACCRUE_ADDRESS(word_1);
    bool v_3 = (word_2 & 1) != 0;
    int v_4 = (int)word_3;
    if ((int)get_local_id(0) == 0) {
        for (int i = 0; i < v_4; ++i) {
            *(v_3 ? &v[i] : &v_2[i]) = v[i];
        }
    }
    return;
}

//@kernel from_memory
__kernel void from_memory(ulong word_0, ulong word_1, ulong word_2, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = (__global float *)ACCRUE_ADDRESS(word_0);
    __global float *__global *v_2 = (__global float *__global *)ACCRUE_ADDRESS(word_1);
    int v_3 = (int)word_2;
    if ((int)get_local_id(0) == 0) {
        for (int i = 0; i < v_3; ++i) {
            f_set(&v_2[i][i], v[i]);
        }
    }
    return;
}

//@kernel by_others
__kernel void by_others(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = (__global float *)ACCRUE_ADDRESS(word_0);
    __global float *v_2 = (__global float *)ACCRUE_ADDRESS(word_1);
    __global int *v_3 = (__global int *)ACCRUE_ADDRESS(word_2);
    int v_4 = (int)word_3;
    if ((int)get_local_id(0) == 0) {
        for (int i = 0; i < v_4; ++i) {
            f_set(&v_2[i], v[i]);
            int t1 = *(volatile __global int *)&v_3[i];
            v_2[i] = (float)t1;
        }
    }
    return;
}

//@kernel by_others_disjoint
__kernel void by_others_disjoint(__global float *restrict word_0, ulong word_1, ulong word_2, ulong word_3, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global float *v = word_0;
    __global float *v_2 = (__global float *)ACCRUE_ADDRESS(word_1);
    __global int *v_3 = (__global int *)ACCRUE_ADDRESS(word_2);
    int v_4 = (int)word_3;
    if ((int)get_local_id(0) == 0) {
        for (int i = 0; i < v_4; ++i) {
            f_set(&v_2[i], v[i]);
            int t1 = *(volatile __global int *)&v_3[i];
            v_2[i] = (float)t1;
        }
    }
    return;
}

//@kernel wider
__kernel void wider(ulong word_0, ulong word_1, ulong word_2, ulong word_3, ulong word_4, ulong word_5, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global accrue_c64 *v = (__global accrue_c64 *)ACCRUE_ADDRESS(word_0);
    __global accrue_c64 *v_2 = (__global accrue_c64 *)ACCRUE_ADDRESS(word_1);
    __global struct point *v_3 = (__global struct point *)ACCRUE_ADDRESS(word_2);
    __global struct point *v_4 = (__global struct point *)ACCRUE_ADDRESS(word_3);
    __global float *v_5 = (__global float *)ACCRUE_ADDRESS(word_4);
    int v_6 = (int)word_5;
    if ((int)get_local_id(0) == 0) {
        for (int i = (int)get_local_id(0); i < v_6; i += (int)get_local_size(0)) {
            v_2[i] = v[i];
            int t1 = i * 4;
            float t2 = v_3[i].x;
            float t3 = v_3[i].w;
            v_4[i].x = v_5[t1 + 2];
            v_4[i].y = v_5[t1 + 3];
            float t4 = v_3[i].z;
            v_4[i].z = v_3[i].y;
            v_4[i].w = t2 + t3 + t4;
        }
    }
    return;
}

//@kernel wider_disjoint
__kernel void wider_disjoint(__global accrue_c64 *restrict word_0, ulong word_1, __global struct point *restrict word_2, ulong word_3, __global float *restrict word_4, ulong word_5, ulong accrue_scratch_address, __global char *accrue_memory)
{
    __global accrue_c64 *v = word_0;
    __global accrue_c64 *v_2 = (__global accrue_c64 *)ACCRUE_ADDRESS(word_1);
    __global struct point *v_3 = word_2;
    __global struct point *v_4 = (__global struct point *)ACCRUE_ADDRESS(word_3);
    __global float *v_5 = word_4;
    int v_6 = (int)word_5;
    if ((int)get_local_id(0) == 0) {
        for (int i = (int)get_local_id(0); i < v_6; i += (int)get_local_size(0)) {
            v_2[i] = v[i];
            float4 t1 = *(const __global float4 *)(&v_3[i].x);
            int t2 = i * 4;
            float2 t3 = *(const __global float2 *)(&v_5[t2 + 2]);
            float t4 = t1.s0 + t1.s3 + t1.s2;
            *(__global float4 *)((&v_4[i].w) - 3) = (float4)((float)(t3.s0), (float)(t3.s1), (float)(t1.s1), (float)(t4));
        }
    }
    return;
}
