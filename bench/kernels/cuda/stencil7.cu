// 7-point stencil, double, 384³: a thread a point.
#include "kernels.cuh"

#define AT(p, i, j, k) (p)[((i) * n + (j)) * n + (k)]

__global__ void sweep(int n, const double *__restrict__ u, double *__restrict__ v)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int i = blockIdx.z + 1;
    if (j < n - 1 && k < n - 1)
        AT(v, i, j, k) = 0.4 * AT(u, i, j, k) + 0.1 * (AT(u, i - 1, j, k) + AT(u, i + 1, j, k) + AT(u, i, j - 1, k) +
                                                       AT(u, i, j + 1, k) + AT(u, i, j, k - 1) + AT(u, i, j, k + 1));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 384 >> args.shift, all = n * n * n;
    double *u = NEW(double, all), *v = NEW(double, all), sum = 0;
    FILL(u, all, 1);
    FILL(v, all, 0);
    double *du = on_device(u, all), *dv = on_device(v, all);
    dim3 threads(32, 8), grid(ceiling(n - 2, 32), ceiling(n - 2, 8), n - 2);
    double best = fastest(args.repeats, [&] { sweep<<<grid, threads>>>(n, du, dv); });
    to_host(v, dv, all);
    SUM(sum, v, all);
    report("stencil7", best, sum);
    return 0;
}
