// Matrix times vector, double, 16384 × 16384: one block for each row.
#include "common.cuh"
#include "reduce.cuh"

__global__ void matvec(int n, const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y)
{
    const double *row = a + (size_t)blockIdx.x * n;
    double s = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        s += row[j] * x[j];
    s = block_reduce(s, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0)
        y[blockIdx.x] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 16384 >> args.shift;
    double *a = device<double>((size_t)n * n), *x = device<double>(n), *y = device<double>(n);
    fill((long)n * n, a, [] __device__(int k) { return k % 5 - 1; });
    fill(n, x, [] __device__(int i) { return i % 7 - 3; });
    double usual = fastest(args.repeats, [&] { matvec<<<n, 256>>>(n, a, x, y); }), best = usual;
    for (int threads = 64; threads <= 1024; threads *= 2)
        best = fmin(best, fastest(args.repeats, [&] { matvec<<<n, threads>>>(n, a, x, y); }));
    print_row("matvec", n, usual, best, 8.0 * n * n + 16.0 * n, 'B', checksum(n, y, 1));
    return 0;
}
