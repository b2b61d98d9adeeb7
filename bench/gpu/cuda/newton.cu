// Square roots by 64 Newton iterations, double, 2^24.
#include "common.cuh"

__global__ void newton(int n, const double *__restrict__ a, double *__restrict__ root)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double value = a[i], x = value;
        for (int k = 0; k < 64; k++)
            x = 0.5 * (x + value / x);
        root[i] = x;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (24 - args.shift);
    double *a = device<double>(n), *root = device<double>(n);
    fill(n, a, [] __device__(int i) { return i % 1000 + 1; });
    times t = grid_stride(args.repeats, n, newton, n, a, root);
    print_row("newton", n, t.usual, t.best, 3.0 * 64 * n, 'F', checksum(n, root, 1048576.0));
    return 0;
}
