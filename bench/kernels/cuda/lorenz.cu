// An ensemble of ordinary differential equations, double: 2^17 trajectories of Lorenz's system, 100 Runge-Kutta steps each.
#include "kernels.cuh"

constexpr int STEPS = 100;

__device__ double3 slope(double3 u)
{
    return {10 * (u.y - u.x), u.x * (28 - u.z) - u.y, u.x * u.y - 8. / 3 * u.z};
}

__device__ double3 plus(double3 u, double h, double3 k) { return {u.x + h * k.x, u.y + h * k.y, u.z + h * k.z}; }

__global__ void integrate(int n, double dt, const double *__restrict__ start, double *__restrict__ end)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double3 u = {start[i], start[n + i], start[2 * n + i]};
    for (int step = 0; step < STEPS; step++) {
        double3 k1 = slope(u), k2 = slope(plus(u, dt / 2, k1)), k3 = slope(plus(u, dt / 2, k2));
        double3 k4 = slope(plus(u, dt, k3));
        u = plus(u, dt / 6, plus(plus(plus(k1, 2, k2), 2, k3), 1, k4));
    }
    end[i] = u.x, end[n + i] = u.y, end[2 * n + i] = u.z;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 17) >> args.shift;
    double *start = NEW(double, 3 * n), *end = NEW(double, 3 * n), sum = 0;
    FILL(start, 3 * n, 1);
    double *dstart = on_device(start, 3 * n), *dend = device<double>(3 * n);
    double best = fastest(args.repeats, [&] { integrate<<<ceiling(n, 128), 128>>>(n, 0.001, dstart, dend); });
    to_host(end, dend, 3 * n);
    SUM(sum, end, 3 * n);
    report("lorenz", best, sum);
    return 0;
}
