// 1024 Fourier transforms of 1024 complex numbers, float: Stockham's steps of radix 2, a launch each, twiddle factors from a table.
#include "../kernels.h"

enum { COUNT = 1024, LENGTH = 1024 };

typedef struct { float re, im; } number_t;

#if SPELLING == 1
static void transform(int count, int n, number_t *restrict a, number_t *restrict b, const number_t *restrict table)
{
    number_t *from = a, *to = b;
    for (int half = n / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
#pragma acc parallel loop collapse(3) present(from[0:count * n], to[0:count * n], table[0:n / 2])
#pragma omp parallel for collapse(3)
        for (int t = 0; t < count; t++)
            for (int p = 0; p < half; p++)
                for (int q = 0; q < stride; q++) {
                    number_t x = from[t * n + q + stride * p], y = from[t * n + q + stride * (p + half)], w = table[p * stride];
                    float re = x.re - y.re, im = x.im - y.im;
                    to[t * n + q + stride * 2 * p].re = x.re + y.re;
                    to[t * n + q + stride * 2 * p].im = x.im + y.im;
                    to[t * n + q + stride * (2 * p + 1)].re = re * w.re - im * w.im;
                    to[t * n + q + stride * (2 * p + 1)].im = re * w.im + im * w.re;
                }
        number_t *other = from;
        from = to;
        to = other;
    }
}
#elif SPELLING == 3
#pragma acc routine seq
static inline number_t times(number_t a, number_t b)
{
    number_t c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return c;
}
static void level(int total, int n, int log_stride, const number_t *restrict in, number_t *restrict out, const number_t *restrict w)
{
    const int half_n = n / 2, stride = 1 << log_stride, all = 2 * total;
#pragma acc parallel loop present(in[0:all], out[0:all], w[0:half_n]) async(1)
    for (int k = 0; k < total; k++) {
        const int t = k / half_n, b = k % half_n;
        const int p = b >> log_stride, q = b & (stride - 1);
        const number_t *x = in + t * n;
        number_t *y = out + t * n + q + 2 * p * stride;
        const number_t u = x[b], v = x[b + half_n];
        y[0] = (number_t){u.re + v.re, u.im + v.im};
        y[stride] = times((number_t){u.re - v.re, u.im - v.im}, w[p << log_stride]);
    }
}
static void transform(int count, int n, number_t *a, number_t *b, const number_t *table)
{
    number_t *src = a, *dst = b;
    for (int l = 0; 1 << l < n; l++) {
        level(count * n / 2, n, l, src, dst, table);
        number_t *t = src;
        src = dst, dst = t;
    }
#pragma acc wait(1)
}
#elif SPELLING == 4
static void transform(size_t count, size_t n, number_t *a, number_t *b, const number_t *table)
{
    float *in = (float *)a, *out = (float *)b;
    const float *w = (const float *)table;
    const size_t all = 2 * count * n;
    for (size_t s = 1; s < n; s *= 2) {
        const size_t m = n / (2 * s);
#pragma acc parallel loop collapse(3) present(in[0:all], out[0:all], w[0:n])
        for (size_t t = 0; t < count; t++)
            for (size_t p = 0; p < m; p++)
                for (size_t q = 0; q < s; q++) {
                    const size_t i0 = 2 * (t * n + q + s * p), i1 = i0 + 2 * s * m;
                    const size_t o0 = 2 * (t * n + q + 2 * s * p), o1 = o0 + 2 * s;
                    const float wr = w[2 * p * s], wi = w[2 * p * s + 1];
                    const float dr = in[i0] - in[i1], di = in[i0 + 1] - in[i1 + 1];
                    out[o0] = in[i0] + in[i1];
                    out[o0 + 1] = in[i0 + 1] + in[i1 + 1];
                    out[o1] = dr * wr - di * wi;
                    out[o1 + 1] = dr * wi + di * wr;
                }
        float *swap = in;
        in = out;
        out = swap;
    }
}
#else
#include <complex.h>

static void step(unsigned count, unsigned n, unsigned stride, float complex *from, float complex *to, float complex *table)
{
#pragma acc parallel loop gang present(from[0:count * n], to[0:count * n], table[0:n / 2])
#pragma omp parallel for
    for (unsigned t = 0; t < count; t++) {
        float complex *in = from + (size_t)t * n, *out = to + (size_t)t * n;
#pragma acc loop vector
        for (unsigned k = 0; k < n / 2; k++) {
            unsigned q = k & (stride - 1), p = k - q;
            float complex x = in[k], y = in[k + n / 2];
            out[q + 2 * p] = x + y;
            out[q + 2 * p + stride] = (x - y) * table[p];
        }
    }
}

static void transform(unsigned count, unsigned n, number_t *a, number_t *b, number_t *table)
{
    for (unsigned stride = 1; stride < n; stride <<= 1) {
        step(count, n, stride, (float complex *)a, (float complex *)b, (float complex *)table);
        number_t *other = a;
        a = b;
        b = other;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int count = COUNT >> args.shift, n = LENGTH, all = count * n;
    number_t *a = NEW(number_t, all), *b = NEW(number_t, all), *table = NEW(number_t, n / 2);
    double sum = 0;
    for (int k = 0; k < all; k++)
        a[k] = (number_t){number(k) * 0.03, number(3 * k) * 0.03};
    for (int k = 0; k < n / 2; k++)
        table[k] = (number_t){cos(6.283185307179586 * k / n), -sin(6.283185307179586 * k / n)};
#pragma acc enter data copyin(a[0:all], table[0:n / 2]) create(b[0:all])
    transform(count, n, a, b, table);
#pragma acc update self(a[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(a[k].re) + fabs(a[k].im);
    struct watch t = watch(args.repeats);
    while (lap(&t))
        transform(count, n, a, b, table);
    report("fft", t.best, sum);
    return 0;
}
