// Temperatures of a chip, float, 2048 × 2048: one step of a 5-point stencil whose edges look at themselves, a thread a point.
#include "kernels.cuh"

__global__ void step(int rows, int columns, const float *__restrict__ t, const float *__restrict__ power,
                     float *__restrict__ next)
{
    const float cap = 0.1f, rx = 0.2f, ry = 0.3f, rz = 0.05f, ambient = 80;
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= columns)
        return;
    int k = r * columns + c;
    float here = t[k];
    float north = r == 0 ? here : t[k - columns], south = r == rows - 1 ? here : t[k + columns];
    float west = c == 0 ? here : t[k - 1], east = c == columns - 1 ? here : t[k + 1];
    next[k] = here + cap * (power[k] + (south + north - 2 * here) * ry + (east + west - 2 * here) * rx +
                            (ambient - here) * rz);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, all = n * n;
    float *t = NEW(float, all), *power = NEW(float, all), *next = NEW(float, all);
    double sum = 0;
    FILL(t, all, 100);
    FILL(power, all, 1);
    float *dt = on_device(t, all), *dpower = on_device(power, all), *dnext = device<float>(all);
    dim3 threads(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] { step<<<grid, threads>>>(n, n, dt, dpower, dnext); });
    to_host(next, dnext, all);
    SUM(sum, next, all);
    report("hotspot", best, sum);
    return 0;
}
