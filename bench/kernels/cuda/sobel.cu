// Sobel's edge filter on a grey image of bytes, 4096 × 4096: a thread a pixel.
#include "kernels.cuh"

__global__ void filter(int h, int w, const unsigned char *__restrict__ in, unsigned char *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= w - 1 || y >= h - 1)
        return;
    const unsigned char *p = in + y * w + x;
    int gx = p[-w + 1] + 2 * p[1] + p[w + 1] - p[-w - 1] - 2 * p[-1] - p[w - 1];
    int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
    out[y * w + x] = min(abs(gx) + abs(gy), 255);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift, all = n * n;
    unsigned char *in = NEW(unsigned char, all), *out = NEW(unsigned char, all);
    double sum = 0;
    FILL(in, all, 100);
    FILL(out, all, 0);
    unsigned char *din = on_device(in, all), *dout = on_device(out, all);
    dim3 threads(32, 8), grid(ceiling(n - 2, 32), ceiling(n - 2, 8));
    double best = fastest(args.repeats, [&] { filter<<<grid, threads>>>(n, n, din, dout); });
    to_host(out, dout, all);
    for (int k = 0; k < all; k++)
        sum += out[k] * (k % 7);
    report("sobel", best, sum);
    return 0;
}
