// Lattice Boltzmann, D2Q9, double, 2048 × 2048: distributions of a cell in registers.
#include "kernels.cuh"

constexpr int Q = 9;

__global__ void step(int n, const double *__restrict__ f, double *__restrict__ g)
{
    constexpr int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constexpr double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1)
        return;
    double h[Q], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        h[q] = f[q * n * n + (y - cy[q]) * n + x - cx[q]];
        rho += h[q];
        ux += cx[q] * h[q];
        uy += cy[q] * h[q];
    }
    ux /= rho;
    uy /= rho;
#pragma unroll
    for (int q = 0; q < Q; q++) {
        double cu = 3 * (cx[q] * ux + cy[q] * uy);
        double e = rho * w[q] * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
        g[q * n * n + y * n + x] = h[q] + 0.6 * (e - h[q]);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, all = Q * n * n;
    double *f = NEW(double, all), *g = NEW(double, all), sum = 0;
    FILL(f, all, 1);
    FILL(g, all, 0);
    double *df = on_device(f, all), *dg = on_device(g, all);
    dim3 threads(64, 4), grid(ceiling(n - 2, 64), ceiling(n - 2, 4));
    double best = fastest(args.repeats, [&] { step<<<grid, threads>>>(n, df, dg); });
    to_host(g, dg, all);
    SUM(sum, g, all);
    report("lbm", best, sum);
    return 0;
}
