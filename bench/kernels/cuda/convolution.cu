// 5 × 5 convolution, float, 4096 × 4096: coefficients in constant memory.
#include "kernels.cuh"

__constant__ float coefficients[25];

__global__ void convolve(int n, const float *__restrict__ in, float *__restrict__ out)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + 2, i = blockIdx.y * blockDim.y + threadIdx.y + 2;
    if (i >= n - 2 || j >= n - 2)
        return;
    float s = 0;
#pragma unroll
    for (int a = -2; a <= 2; a++)
#pragma unroll
        for (int b = -2; b <= 2; b++)
            s += in[(i + a) * n + j + b] * coefficients[(a + 2) * 5 + b + 2];
    out[i * n + j] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift;
    float *in = NEW(float, n * n), *out = NEW(float, n * n), w[25];
    double sum = 0;
    FILL(in, n * n, 1);
    FILL(w, 25, 0.1);
    FILL(out, n * n, 0);
    float *din = on_device(in, n * n), *dout = on_device(out, n * n);
    CHECK(cudaMemcpyToSymbol(coefficients, w, sizeof w));
    dim3 threads(32, 8), grid(ceiling(n - 4, 32), ceiling(n - 4, 8));
    double best = fastest(args.repeats, [&] { convolve<<<grid, threads>>>(n, din, dout); });
    to_host(out, dout, n * n);
    SUM(sum, out, n * n);
    report("convolution", best, sum);
    return 0;
}
