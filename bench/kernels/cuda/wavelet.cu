// One level of the Daubechies transform with four taps of a picture of 2048 x 2048 floats: rows, then columns; a thread two results.
#include "kernels.cuh"

constexpr float h0 = 0.4829629f, h1 = 0.8365163f, h2 = 0.2241439f, h3 = -0.1294095f;

__global__ void rows(int n, const float *__restrict__ in, float *__restrict__ half)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n / 2 || y >= n)
        return;
    int c2 = 2 * x + 2 < n ? 2 * x + 2 : 0;
    float2 ab = *(const float2 *)&in[y * n + 2 * x], cd = *(const float2 *)&in[y * n + c2];
    half[y * n + x] = h0 * ab.x + h1 * ab.y + h2 * cd.x + h3 * cd.y;
    half[y * n + n / 2 + x] = h3 * ab.x - h2 * ab.y + h1 * cd.x - h0 * cd.y;
}

__global__ void columns(int n, const float *__restrict__ half, float *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n / 2)
        return;
    int c2 = 2 * y + 2 < n ? 2 * y + 2 : 0;
    float a = half[2 * y * n + x], b = half[(2 * y + 1) * n + x], c = half[c2 * n + x], d = half[(c2 + 1) * n + x];
    out[y * n + x] = h0 * a + h1 * b + h2 * c + h3 * d;
    out[(n / 2 + y) * n + x] = h3 * a - h2 * b + h1 * c - h0 * d;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2;
    float *in = NEW(float, n * n), *out = NEW(float, n * n);
    double sum = 0;
    FILL(in, n * n, 1);
    float *din = on_device(in, n * n), *half = device<float>(n * n), *dout = device<float>(n * n);
    dim3 block(32, 8);
    double best = fastest(args.repeats, [&] {
        rows<<<dim3(ceiling(n / 2, 32), ceiling(n, 8)), block>>>(n, din, half);
        columns<<<dim3(ceiling(n, 32), ceiling(n / 2, 8)), block>>>(n, half, dout);
    });
    to_host(out, dout, n * n);
    for (int k = 0; k < n * n; k++)
        sum += out[k] * (1 + k % 5);
    report("wavelet", best, sum);
    return 0;
}
