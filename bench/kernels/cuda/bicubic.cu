// A picture of 1024 x 1024 bytes made 2.5 times as large by bicubic interpolation, with clamped borders; a thread a point.
#include "kernels.cuh"

__device__ float cubic(float a, float b, float c, float d, float t)
{
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

__global__ void enlarge(int n, int m, float scale, const unsigned char *__restrict__ in, unsigned char *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= m || y >= m)
        return;
    float sy = (y + 0.5f) * scale - 0.5f, sx = (x + 0.5f) * scale - 0.5f;
    int iy = (int)floorf(sy), ix = (int)floorf(sx);
    float ty = sy - iy, tx = sx - ix, rows[4];
#pragma unroll
    for (int k = -1; k <= 2; k++) {
        const unsigned char *row = in + min(max(iy + k, 0), n - 1) * n;
        rows[k + 1] = cubic(row[max(ix - 1, 0)], row[max(ix, 0)], row[min(ix + 1, n - 1)], row[min(ix + 2, n - 1)], tx);
    }
    float v = cubic(rows[0], rows[1], rows[2], rows[3], ty) + 0.5f;
    out[y * m + x] = v < 0 ? 0 : v > 255 ? 255 : (unsigned char)v;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> (args.shift + 1) / 2, m = n * 5 / 2;
    unsigned char *in = NEW(unsigned char, n * n), *out = NEW(unsigned char, m * m);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        in[k] = mix(k) % 256;
    unsigned char *din = on_device(in, n * n), *dout = device<unsigned char>(m * m);
    dim3 block(32, 8), grid(ceiling(m, 32), ceiling(m, 8));
    double best = fastest(args.repeats, [&] { enlarge<<<grid, block>>>(n, m, (float)n / m, din, dout); });
    to_host(out, dout, m * m);
    SUM(sum, out, m * m);
    report("bicubic", best, sum);
    return 0;
}
