// A picture of 2048 x 2048 floats: four octaves of noise from gradients that a table of permutations chooses; a thread a point.
#include "kernels.cuh"

__device__ float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }
__device__ float mixed(float t, float a, float b) { return a + t * (b - a); }
__device__ float gradient(int hash, float x, float y)
{
    int h = hash & 7;
    float u = h < 4 ? x : y, v = h < 4 ? y : x;
    return ((h & 1) ? -u : u) + ((h & 2) ? -2.0f * v : 2.0f * v);
}

__device__ float noise(const int *table, float x, float y)
{
    int ix = (int)floorf(x), iy = (int)floorf(y);
    float fx = x - ix, fy = y - iy, s = fade(fx), t = fade(fy);
    ix &= 255;
    iy &= 255;
    int a = table[ix] + iy, b = table[ix + 1] + iy;
    return mixed(t, mixed(s, gradient(table[a], fx, fy), gradient(table[b], fx - 1, fy)),
                 mixed(s, gradient(table[a + 1], fx, fy - 1), gradient(table[b + 1], fx - 1, fy - 1)));
}

__global__ void picture(int n, const int *__restrict__ table, float *__restrict__ out)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n)
        return;
    float sum = 0, weight = 1, scale = 8.0f / n;
    for (int o = 0; o < 4; o++) {
        sum += weight * noise(table, j * scale, i * scale);
        weight *= 0.5f;
        scale *= 2;
    }
    out[i * n + j] = sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2, *table = NEW(int, 768);
    float *out = NEW(float, n * n);
    double sum = 0;
    for (int k = 0; k < 256; k++)
        table[k] = k;
    for (int k = 255; k > 0; k--) {
        int other = mix(k) % (k + 1), t = table[k];
        table[k] = table[other];
        table[other] = t;
    }
    for (int k = 256; k < 768; k++)
        table[k] = table[k & 255];
    int *dtable = on_device(table, 768);
    float *dout = device<float>(n * n);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] { picture<<<grid, block>>>(n, dtable, dout); });
    to_host(out, dout, n * n);
    for (int k = 0; k < n * n; k++)
        sum += fabsf(out[k]);
    report("perlin", best, sum);
    return 0;
}
