// The stream benchmark's copy, mul, add and triad, double, 2^27.
#include "common.h"

static void copy(int n, const double *restrict a, double *restrict c)
{
#pragma omp target teams distribute parallel for SIMD
    for (int i = 0; i < n; i++)
        c[i] = a[i];
}

static void mul(int n, double scalar, double *restrict b, const double *restrict c)
{
#pragma omp target teams distribute parallel for SIMD
    for (int i = 0; i < n; i++)
        b[i] = scalar * c[i];
}

static void add(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma omp target teams distribute parallel for SIMD
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

static void triad(int n, double scalar, double *restrict a, const double *restrict b, const double *restrict c)
{
#pragma omp target teams distribute parallel for SIMD
    for (int i = 0; i < n; i++)
        a[i] = b[i] + scalar * c[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    size_t bytes = (size_t)n * sizeof(double);
    double *a = get(bytes), *b = get(bytes), *c = get(bytes), scalar = 3;
    struct watch w;
#pragma omp target enter data map(alloc : a[0 : n], b[0 : n], c[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        a[i] = i % 1000;
        b[i] = -1;
        c[i] = -1;
    }
    w = watch(args.repeats);
    while (lap(&w))
        copy(n, a, c);
    row("stream_copy", n, w, 2.0 * bytes, 'B', checksum(n, c, 1));
    w = watch(args.repeats);
    while (lap(&w))
        mul(n, scalar, b, c);
    row("stream_mul", n, w, 2.0 * bytes, 'B', checksum(n, b, 1));
    w = watch(args.repeats);
    while (lap(&w))
        add(n, a, b, c);
    row("stream_add", n, w, 3.0 * bytes, 'B', checksum(n, c, 1));
    w = watch(args.repeats);
    while (lap(&w))
        triad(n, scalar, a, b, c);
    row("stream_triad", n, w, 3.0 * bytes, 'B', checksum(n, a, 1));
    return 0;
}
