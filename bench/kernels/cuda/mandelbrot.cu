// Mandelbrot set, double, 2048 × 2048, at most 256 iterations.
#include "kernels.cuh"

__global__ void mandelbrot(int n, int *out)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, k = 0;
    double cr = -2 + 3.0 * j / n, ci = -1.5 + 3.0 * i / n, x = 0, y = 0;
    while (k < 256 && x * x + y * y <= 4) {
        double t = x * x - y * y + cr;
        y = 2 * x * y + ci;
        x = t;
        k++;
    }
    out[i * n + j] = k;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, *out = NEW(int, n * n), *dout = device<int>(n * n);
    double sum = 0;
    dim3 threads(32, 8), grid(n / 32, n / 8);
    double best = fastest(args.repeats, [&] { mandelbrot<<<grid, threads>>>(n, dout); });
    to_host(out, dout, n * n);
    SUM(sum, out, n * n);
    report("mandelbrot", best, sum);
    return 0;
}
