// Electromagnetic waves in two dimensions, finite differences in time, double, 2048 × 2048: one step in three kernels.
#include "kernels.cuh"

__global__ void step_ey(int n, double source, double *__restrict__ ey, const double *__restrict__ hz)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    if (i == 0)
        ey[j] = source;
    else
        ey[i * n + j] -= 0.5 * (hz[i * n + j] - hz[(i - 1) * n + j]);
}

__global__ void step_ex(int n, double *__restrict__ ex, const double *__restrict__ hz)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j > 0 && j < n)
        ex[i * n + j] -= 0.5 * (hz[i * n + j] - hz[i * n + j - 1]);
}

__global__ void step_hz(int n, const double *__restrict__ ex, const double *__restrict__ ey, double *__restrict__ hz)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n - 1 && j < n - 1)
        hz[i * n + j] -= 0.7 * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, all = n * n;
    double *ex = NEW(double, all), *ey = NEW(double, all), *hz = NEW(double, all), sum = 0;
    FILL(ex, all, 1);
    FILL(ey, all, 2);
    FILL(hz, all, 3);
    double *dex = on_device(ex, all), *dey = on_device(ey, all), *dhz = on_device(hz, all);
    dim3 threads(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        step_ey<<<grid, threads>>>(n, 1, dey, dhz);
        step_ex<<<grid, threads>>>(n, dex, dhz);
        step_hz<<<grid, threads>>>(n, dex, dey, dhz);
    });
    to_host(ex, dex, all);
    to_host(ey, dey, all);
    to_host(hz, dhz, all);
    for (int k = 0; k < all; k++)
        sum += fabs(hz[k]) + fabs(ex[k]) + fabs(ey[k]);
    report("fdtd", best, sum);
    return 0;
}
