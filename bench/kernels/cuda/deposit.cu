// Charges of 2^21 particles onto a grid of 512 × 512, float: four atomic updates each, weights by distance.
#include "kernels.cuh"

constexpr int N = 512;

__global__ void deposit(int particles, const float *__restrict__ x, const float *__restrict__ y, float *rho)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= particles)
        return;
    int i = (int)x[p], j = (int)y[p];
    float fx = x[p] - i, fy = y[p] - j;
    float *cell = rho + i * N + j;
    atomicAdd(cell, (1 - fx) * (1 - fy));
    atomicAdd(cell + 1, (1 - fx) * fy);
    atomicAdd(cell + N, fx * (1 - fy));
    atomicAdd(cell + N + 1, fx * fy);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 21) >> args.shift;
    float *x = NEW(float, n), *y = NEW(float, n), *rho = NEW(float, N *N);
    double sum = 0;
    for (int p = 0; p < n; p++)
        x[p] = (N - 1) * number(2 * p), y[p] = (N - 1) * number(2 * p + 1);
    FILL(rho, N * N, 0);
    float *dx = on_device(x, n), *dy = on_device(y, n), *drho = on_device(rho, N * N);
    double best = fastest(args.repeats, [&] { deposit<<<ceiling(n, 256), 256>>>(n, dx, dy, drho); });
    to_host(rho, drho, N * N);
    for (int k = 0; k < N * N; k++)
        sum += rho[k] * (1 + k % 3);
    report("deposit", best, sum);
    return 0;
}
