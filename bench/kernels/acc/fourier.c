// Fourier transform of 2^20 complex numbers, float, by Stockham's stages of radix 2 with a table of the roots.
#include "../kernels.h"

enum { POINTS = 1 << 20 };

struct number_pair {
    float re, im;
};

#if SPELLING == 1
static void stage(int n, int half, const struct number_pair *restrict roots, const struct number_pair *restrict in,
                  struct number_pair *restrict out)
{
#pragma acc parallel loop present(roots[0:n / 2], in[0:n], out[0:n])
#pragma omp parallel for
    for (int i = 0; i < n / 2; i++) {
        int k = i & (half - 1), block = i - k;
        struct number_pair a = in[i], b = in[i + n / 2], w = roots[block], d = {a.re - b.re, a.im - b.im};
        int to = 2 * block + k;
        out[to].re = a.re + b.re;
        out[to].im = a.im + b.im;
        out[to + half].re = d.re * w.re - d.im * w.im;
        out[to + half].im = d.re * w.im + d.im * w.re;
    }
}
#else
typedef struct number_pair pair;

#pragma acc routine seq
static pair add(pair a, pair b)
{
    return (pair){a.re + b.re, a.im + b.im};
}

#pragma acc routine seq
static pair subtract(pair a, pair b)
{
    return (pair){a.re - b.re, a.im - b.im};
}

#pragma acc routine seq
static pair times(pair a, pair b)
{
    return (pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void stage(size_t n, size_t half, pair *roots, pair *in, pair *out)
{
#pragma acc parallel loop gang vector collapse(2) present(roots[0:n / 2], in[0:n], out[0:n])
#pragma omp parallel for collapse(2)
    for (size_t j = 0; j < n / 2 / half; ++j)
        for (size_t k = 0; k < half; ++k) {
            pair *a = &in[j * half + k], *b = a + n / 2, *to = &out[2 * j * half + k];
            to[0] = add(*a, *b);
            to[half] = times(subtract(*a, *b), roots[j * half]);
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift;
    struct number_pair *first = NEW(struct number_pair, n), *a = NEW(struct number_pair, n), *b = NEW(struct number_pair, n);
    struct number_pair *roots = NEW(struct number_pair, n / 2);
    double sum = 0;
    for (int k = 0; k < n; k++)
        first[k] = (struct number_pair){number(2 * k) - 0.5, number(2 * k + 1) - 0.5};
    for (int k = 0; k < n / 2; k++)
        roots[k] = (struct number_pair){cos(-6.283185307179586 * k / n), sin(-6.283185307179586 * k / n)};
#pragma acc enter data copyin(first[0:n], roots[0:n / 2]) create(a[0:n], b[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        struct number_pair *from = first, *to = a;
        for (int half = 1; half < n; half *= 2) {
            stage(n, half, roots, from, to);
            from = to;
            to = to == a ? b : a;
        }
    }
#pragma acc update self(a[0:n], b[0:n])
    int stages = 0;
    for (int half = 1; half < n; half *= 2)
        stages++;
    struct number_pair *result = stages % 2 ? a : b;
    for (int k = 0; k < n; k++)
        sum += fabs(result[k].re) + fabs(result[k].im);
    report("fourier", t.best, sum);
    return 0;
}
