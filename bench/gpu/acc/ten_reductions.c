// Ten reductions of different types and operators on one loop, over ten arrays of 2^25: 47 bytes for each iteration.
#include "common.h"

struct results {
    int sum_int, largest_int;
    long long sum_long;
    float sum_float, least_float;
    double sum_double, largest_double;
    unsigned parity;
    short bits;
    signed char all;
};

static struct results reduce(int n, const int *a, const long long *b, const float *c, const double *d, const int *e,
                             const float *f, const double *g, const unsigned *h, const short *k, const signed char *m)
{
    int sum_int = 0, largest_int = -2000000000;
    long long sum_long = 0;
    float sum_float = 0, least_float = 1e30f;
    double sum_double = 0, largest_double = -1e300;
    unsigned parity = 0;
    short bits = 0;
    signed char all = 1;
#pragma acc parallel loop reduction(+:sum_int, sum_long, sum_float, sum_double) reduction(max:largest_int, largest_double) \
    reduction(min:least_float) reduction(^:parity) reduction(|:bits) reduction(&&:all) \
    present(a[0:n], b[0:n], c[0:n], d[0:n], e[0:n], f[0:n], g[0:n], h[0:n], k[0:n], m[0:n])
    for (int i = 0; i < n; i++) {
        sum_int += a[i];
        sum_long += b[i];
        sum_float += c[i];
        sum_double += d[i];
        largest_int = e[i] > largest_int ? e[i] : largest_int;
        least_float = f[i] < least_float ? f[i] : least_float;
        largest_double = g[i] > largest_double ? g[i] : largest_double;
        parity ^= h[i];
        bits |= k[i];
        all = m[i] && all;
    }
    return (struct results){sum_int,     largest_int, sum_long,       sum_float, least_float,
                            sum_double, largest_double, parity, bits,      all};
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (25 - args.shift);
    size_t size = (size_t)n;
    int *a = get(size * sizeof *a), *e = get(size * sizeof *e);
    long long *b = get(size * sizeof *b);
    float *c = get(size * sizeof *c), *f = get(size * sizeof *f);
    double *d = get(size * sizeof *d), *g = get(size * sizeof *g);
    unsigned *h = get(size * sizeof *h);
    short *k = get(size * sizeof *k);
    signed char *m = get(size * sizeof *m);
    struct results r = {0};
#pragma acc enter data create(a[0:n], b[0:n], c[0:n], d[0:n], e[0:n], f[0:n], g[0:n], h[0:n], k[0:n], m[0:n])
#pragma acc parallel loop present(a[0:n], b[0:n], c[0:n], d[0:n], e[0:n])
    for (int i = 0; i < n; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 11 - 2;
        c[i] = REDUCED(i, n);
        d[i] = i % 5 - 1;
        e[i] = REDUCED(i, n);
    }
#pragma acc parallel loop present(f[0:n], g[0:n], h[0:n], k[0:n], m[0:n])
    for (int i = 0; i < n; i++) {
        f[i] = REDUCED(i, n);
        g[i] = REDUCED(i, n) * 3;
        h[i] = mix(i);
        k[i] = i % 13 == 5 ? 1 << i % 7 : 0;
        m[i] = 1 + i % 3;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        r = reduce(n, a, b, c, d, e, f, g, h, k, m);
    row("ten_reductions", n, w, 47.0 * n, 'B',
        (long long)(r.sum_int + 3 * r.largest_int + 5 * r.sum_long + 7.0 * r.sum_float + 11.0 * r.least_float +
                    13 * r.sum_double + 17 * r.largest_double + 19.0 * r.parity + 23 * r.bits + 29 * r.all));
    return 0;
}
