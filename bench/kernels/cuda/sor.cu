// Relaxation of a grid of 2048 x 2048 doubles, one colour of a chessboard after the other; a thread a point of the colour.
#include "kernels.cuh"

__global__ void sweep(int n, double omega, double *u, const double *__restrict__ f, int colour)
{
    int i = 1 + blockIdx.y * blockDim.y + threadIdx.y;
    int j = 1 + (i + 1 + colour) % 2 + 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n - 1 && j < n - 1)
        u[i * n + j] = (1 - omega) * u[i * n + j] +
                       omega * 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - f[i * n + j]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2;
    double *u = NEW(double, n * n), *f = NEW(double, n * n), sum = 0;
    FILL(u, n * n, 1);
    FILL(f, n * n, 0.01);
    double *du = on_device(u, n * n), *df = on_device(f, n * n);
    dim3 block(32, 8), grid(ceiling(n / 2, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] {
        sweep<<<grid, block>>>(n, 1.2, du, df, 0);
        sweep<<<grid, block>>>(n, 1.2, du, df, 1);
    });
    to_host(u, du, n * n);
    SUM(sum, u, n * n);
    report("sor", best, sum);
    return 0;
}
