// Product of two matrices without tiles, double, 2048 × 2048.
#include "kernels.cuh"

__global__ void product(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    double s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift;
    double *a = NEW(double, n * n), *b = NEW(double, n * n), *c = NEW(double, n * n), sum = 0;
    FILL(a, n * n, 1);
    FILL(b, n * n, 1);
    double *da = on_device(a, n * n), *db = on_device(b, n * n), *dc = device<double>(n * n);
    dim3 threads(32, 8), grid(n / 32, n / 8);
    double best = fastest(args.repeats, [&] { product<<<grid, threads>>>(n, da, db, dc); });
    to_host(c, dc, n * n);
    SUM(sum, c, n * n);
    report("product", best, sum);
    return 0;
}
