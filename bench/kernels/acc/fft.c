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
