// The stream benchmark's copy, mul, add and triad, double, 2^27.
#include "common.cuh"

#define EACH(i, n) int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x

__global__ void copy(int n, const double *__restrict__ a, double *__restrict__ c)
{
    for (EACH(i, n))
        c[i] = a[i];
}

__global__ void mul(int n, double scalar, double *__restrict__ b, const double *__restrict__ c)
{
    for (EACH(i, n))
        b[i] = scalar * c[i];
}

__global__ void add(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c)
{
    for (EACH(i, n))
        c[i] = a[i] + b[i];
}

__global__ void triad(int n, double scalar, double *__restrict__ a, const double *__restrict__ b,
                      const double *__restrict__ c)
{
    for (EACH(i, n))
        a[i] = b[i] + scalar * c[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    double *a = device<double>(n), *b = device<double>(n), *c = device<double>(n), scalar = 3;
    fill(n, a, [] __device__(int i) { return i % 1000; });
    times t = grid_stride(args.repeats, n, copy, n, a, c);
    print_row("stream_copy", n, t.usual, t.best, 16.0 * n, 'B', checksum(n, c, 1));
    t = grid_stride(args.repeats, n, mul, n, scalar, b, c);
    print_row("stream_mul", n, t.usual, t.best, 16.0 * n, 'B', checksum(n, b, 1));
    t = grid_stride(args.repeats, n, add, n, a, b, c);
    print_row("stream_add", n, t.usual, t.best, 24.0 * n, 'B', checksum(n, c, 1));
    t = grid_stride(args.repeats, n, triad, n, scalar, a, b, c);
    print_row("stream_triad", n, t.usual, t.best, 24.0 * n, 'B', checksum(n, a, 1));
    return 0;
}
