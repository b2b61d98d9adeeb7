// Structural similarity of two pictures of 2048 x 2048 bytes: a thread a point, tiles of both pictures in shared memory.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int SIDE = 2048, BOX = 8, MORE = BOX - 1, WIDE = 32, HIGH = 8;

__global__ void similarity(int n, const unsigned char *__restrict__ a, const unsigned char *__restrict__ b, float *__restrict__ map,
                           double *total)
{
    __shared__ unsigned char ta[HIGH + MORE][WIDE + MORE], tb[HIGH + MORE][WIDE + MORE];
    int width = n + MORE, left = blockIdx.x * WIDE, top = blockIdx.y * HIGH;
    for (int y = threadIdx.y; y < HIGH + MORE; y += HIGH)
        for (int x = threadIdx.x; x < WIDE + MORE; x += WIDE)
            if (top + y < width && left + x < width) {
                ta[y][x] = a[(top + y) * width + left + x];
                tb[y][x] = b[(top + y) * width + left + x];
            }
    __syncthreads();
    int i = top + threadIdx.y, j = left + threadIdx.x;
    double mine = 0;
    if (i < n && j < n) {
        int sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
#pragma unroll
        for (int k = 0; k < BOX; k++)
#pragma unroll
            for (int l = 0; l < BOX; l++) {
                int p = ta[threadIdx.y + k][threadIdx.x + l], q = tb[threadIdx.y + k][threadIdx.x + l];
                sa += p;
                sb += q;
                saa += p * p;
                sbb += q * q;
                sab += p * q;
            }
        float mean = sa * sb, means = sa * sa + sb * sb, both = 64 * sab - sa * sb, each = 64 * (saa + sbb) - sa * sa - sb * sb;
        float c1 = 6.5025f * 4096, c2 = 58.5225f * 4096;
        float s = (2 * mean + c1) * (2 * both + c2) / ((means + c1) * (each + c2));
        map[i * n + j] = s;
        mine = s;
    }
    mine = block_reduce(mine, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicAdd(total, mine);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, width = n + MORE, all = width * width;
    unsigned char *a = NEW(unsigned char, all), *b = NEW(unsigned char, all);
    float *map = NEW(float, n * n);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        a[k] = (k % width + k / width) / 3 % 128 + mix(k) % 64;
        b[k] = a[k] + mix(k + 1) % 48;
    }
    unsigned char *da = on_device(a, all), *db = on_device(b, all);
    float *dmap = device<float>(n * n);
    double *dtotal = device<double>(1), *total = pinned<double>();
    dim3 block(WIDE, HIGH), grid(ceiling(n, WIDE), ceiling(n, HIGH));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof *dtotal));
        similarity<<<grid, block>>>(n, da, db, dmap, dtotal);
        CHECK(cudaMemcpyAsync(total, dtotal, sizeof *total, cudaMemcpyDeviceToHost));
    });
    to_host(map, dmap, n * n);
    for (int k = 0; k < n * n; k++)
        sum += map[k] * (1 + k % 3);
    report("ssim", best, sum + *total / n);
    return 0;
}
