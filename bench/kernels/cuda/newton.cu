// Newton's method for z^3 = 1 from 1024 x 1024 points of the complex plane, double: which root, and after how many steps; a thread a
// point.
#include "kernels.cuh"

constexpr int STEPS = 40;

__global__ void basins(int n, int *__restrict__ steps)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    double x = -2 + 4.0 * j / n + 1e-3, y = -2 + 4.0 * i / n + 1e-3;
    int k = 0;
    for (; k < STEPS; k++) {
        double x2 = x * x - y * y, y2 = 2 * x * y;
        double p = x2 * x - y2 * y - 1, q = x2 * y + y2 * x;
        if (p * p + q * q < 1e-12)
            break;
        double below = 1 / (3 * (x2 * x2 + y2 * y2));
        x -= (p * x2 + q * y2) * below;
        y -= (q * x2 - p * y2) * below;
    }
    steps[i * n + j] = 3 * k + (x > 0 ? 0 : y > 0 ? 1 : 2);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> (args.shift + 1) / 2, *steps = NEW(int, n * n);
    double sum = 0;
    int *dsteps = device<int>(n * n);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] { basins<<<grid, block>>>(n, dsteps); });
    to_host(steps, dsteps, n * n);
    SUM(sum, steps, n * n);
    report("newton", best, sum);
    return 0;
}
