// Erosion of a picture of 2048 x 2048 bytes by a square of 9 x 9 with cut borders, and the difference to the picture; a thread a point.
#include "kernels.cuh"

constexpr int RADIUS = 4;

__global__ void erode(int h, int w, const unsigned char *__restrict__ in, unsigned char *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int least = 255;
#pragma unroll
    for (int dy = -RADIUS; dy <= RADIUS; dy++)
#pragma unroll
        for (int dx = -RADIUS; dx <= RADIUS; dx++)
            if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
                least = min(least, (int)in[(y + dy) * w + x + dx]);
    out[y * w + x] = in[y * w + x] - least;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> (args.shift + 1) / 2;
    unsigned char *in = NEW(unsigned char, n * n), *out = NEW(unsigned char, n * n);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        in[k] = mix(k) % 256;
    unsigned char *din = on_device(in, n * n), *dout = device<unsigned char>(n * n);
    dim3 block(32, 8), grid(ceiling(n, 32), ceiling(n, 8));
    double best = fastest(args.repeats, [&] { erode<<<grid, block>>>(n, n, din, dout); });
    to_host(out, dout, n * n);
    for (int k = 0; k < n * n; k++)
        sum += out[k] * (1 + k % 5);
    report("erode", best, sum);
    return 0;
}
