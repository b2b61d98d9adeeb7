// Median of 3 × 3 neighbours, float image of 2048 × 2048: nine values in registers, half of them sorted.
#include "kernels.cuh"

__global__ void filter(int n, const float *__restrict__ in, float *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= n - 1 || y >= n - 1)
        return;
    float v[9];
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int j = 0; j < 3; j++)
            v[3 * i + j] = in[(y + i - 1) * n + x + j - 1];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = i + 1; j < 9; j++) {
            float low = fminf(v[i], v[j]);
            v[j] = fmaxf(v[i], v[j]);
            v[i] = low;
        }
    out[y * n + x] = v[4];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, all = n * n;
    float *in = NEW(float, all), *out = NEW(float, all);
    double sum = 0;
    FILL(in, all, 1);
    FILL(out, all, 0);
    float *din = on_device(in, all), *dout = on_device(out, all);
    dim3 threads(32, 8), grid(ceiling(n - 2, 32), ceiling(n - 2, 8));
    double best = fastest(args.repeats, [&] { filter<<<grid, threads>>>(n, din, dout); });
    to_host(out, dout, all);
    SUM(sum, out, all);
    report("median", best, sum);
    return 0;
}
