// Bilateral filter, float, 2048 × 2048, radius 3: a thread a point, with the block's part of the image in shared memory and
// the weights by distance in constant memory.
#include "kernels.cuh"

constexpr int RADIUS = 3, WIDE = 2 * RADIUS + 1, BX = 32, BY = 8;

__constant__ float table[WIDE * WIDE];

__global__ void filter(int rows, int columns, float steep, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[BY + 2 * RADIUS][BX + 2 * RADIUS];
    for (int r = threadIdx.y; r < BY + 2 * RADIUS; r += BY)
        for (int c = threadIdx.x; c < BX + 2 * RADIUS; c += BX) {
            int y = min(max((int)blockIdx.y * BY + r - RADIUS, 0), rows - 1);
            int x = min(max((int)blockIdx.x * BX + c - RADIUS, 0), columns - 1);
            tile[r][c] = in[y * columns + x];
        }
    __syncthreads();
    int i = blockIdx.y * BY + threadIdx.y, j = blockIdx.x * BX + threadIdx.x;
    if (i >= rows || j >= columns)
        return;
    float here = tile[threadIdx.y + RADIUS][threadIdx.x + RADIUS], sum = 0, weights = 0;
#pragma unroll
    for (int a = 0; a < WIDE; a++)
#pragma unroll
        for (int b = 0; b < WIDE; b++) {
            float v = tile[threadIdx.y + a][threadIdx.x + b];
            float w = table[a * WIDE + b] * expf(-steep * (v - here) * (v - here));
            sum += w * v;
            weights += w;
        }
    out[i * columns + j] = sum / weights;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, all = n * n;
    float *in = NEW(float, all), *out = NEW(float, all), near[WIDE * WIDE];
    double sum = 0;
    FILL(in, all, 1);
    for (int k = 0; k < WIDE * WIDE; k++) {
        int y = k / WIDE - RADIUS, x = k % WIDE - RADIUS;
        near[k] = (float)exp(-(x * x + y * y) / 8.0);
    }
    CHECK(cudaMemcpyToSymbol(table, near, sizeof near));
    float *din = on_device(in, all), *dout = device<float>(all);
    dim3 threads(BX, BY), grid(ceiling(n, BX), ceiling(n, BY));
    double best = fastest(args.repeats, [&] { filter<<<grid, threads>>>(n, n, 12.5f, din, dout); });
    to_host(out, dout, all);
    for (int k = 0; k < all; k++)
        sum += out[k] * (1 + k % 7);
    report("bilateral", best, sum);
    return 0;
}
