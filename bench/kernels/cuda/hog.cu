// Histograms of oriented gradients of a picture of 4096 x 4096 bytes, float: a block takes eight rows of 128 points, whose 16 cells
// have their histograms in shared memory; then a warp a block of 2 x 2 cells.
#include "kernels.cuh"

constexpr int SIDE = 4096, CELL = 8, BINS = 9, CELLS = SIDE / CELL, LONG = 4 * BINS, WIDE = 128, WARPS = 8;
constexpr float TOP = 0.2f;

__global__ void __launch_bounds__(2 * WIDE)
cells(int rows, const unsigned char *__restrict__ image, float *__restrict__ cell)
{
    __shared__ unsigned char tile[CELL + 2][WIDE + 2];
    __shared__ float h[WIDE / CELL * BINS];
    int x0 = blockIdx.x * WIDE, y0 = blockIdx.y * CELL, tid = threadIdx.x;
    for (int k = tid; k < WIDE / CELL * BINS; k += 2 * WIDE)
        h[k] = 0;
    for (int k = tid; k < (CELL + 2) * (WIDE + 2); k += 2 * WIDE) {
        int x = k % (WIDE + 2), y = k / (WIDE + 2);
        tile[y][x] = image[min(max(y0 + y - 1, 0), rows - 1) * SIDE + min(max(x0 + x - 1, 0), SIDE - 1)];
    }
    __syncthreads();
    int x = tid % WIDE;
    for (int y = tid / WIDE; y < CELL; y += 2) {
        float gx = tile[y + 1][x + 2] - tile[y + 1][x], gy = tile[y + 2][x + 1] - tile[y][x + 1];
        float size = sqrtf(gx * gx + gy * gy), angle = atan2f(gy, gx) * (BINS / (float)M_PI) - 0.5f;
        float below = floorf(angle), part = angle - below;
        int one = (int)below;
        one += one < 0 ? BINS : 0;
        one += one < 0 ? BINS : 0;
        one = one >= BINS ? one - BINS : one;
        int two = one + 1 == BINS ? 0 : one + 1;
        atomicAdd(&h[x / CELL * BINS + one], size * (1 - part));
        atomicAdd(&h[x / CELL * BINS + two], size * part);
    }
    __syncthreads();
    for (int k = tid; k < WIDE / CELL * BINS; k += 2 * WIDE)
        cell[(blockIdx.y * CELLS + x0 / CELL) * BINS + k] = h[k];
}

__device__ float sum_of_warp(float v)
{
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
}

// Two cells side by side are 18 numbers in a row: the lower 18 lanes have two rows of them.
__global__ void __launch_bounds__(32 * WARPS) blocks(const float *__restrict__ cell, float *__restrict__ feature)
{
    int lane = threadIdx.x % 32, x = blockIdx.x * WARPS + threadIdx.x / 32, y = blockIdx.y;
    if (x >= CELLS - 1)
        return;
    float v = 0, w = 0;
    if (lane < 2 * BINS) {
        v = cell[(y * CELLS + x) * BINS + lane];
        w = cell[((y + 1) * CELLS + x) * BINS + lane];
    }
    float norm = rsqrtf(sum_of_warp(v * v + w * w) + 1e-3f);
    v = fminf(v * norm, TOP);
    w = fminf(w * norm, TOP);
    norm = rsqrtf(sum_of_warp(v * v + w * w) + 1e-6f);
    if (lane < 2 * BINS) {
        feature[(y * (CELLS - 1) + x) * LONG + lane] = v * norm;
        feature[(y * (CELLS - 1) + x) * LONG + 2 * BINS + lane] = w * norm;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE, high = rows / CELL, features = (high - 1) * (CELLS - 1) * LONG;
    unsigned char *image = NEW(unsigned char, n);
    float *feature = NEW(float, features);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int x = k % SIDE, y = k / SIDE;
        image[k] = (unsigned char)(110 + 60 * sin(0.001 * x * (1 + y % 512 * 0.01)) + 50 * cos(0.05 * y + 0.02 * x) + mix(k) % 20);
    }
    unsigned char *dimage = on_device(image, n);
    float *dcell = device<float>(high * CELLS * BINS), *dfeature = device<float>(features);
    double best = fastest(args.repeats, [&] {
        cells<<<dim3(SIDE / WIDE, high), 2 * WIDE>>>(rows, dimage, dcell);
        blocks<<<dim3(ceiling(CELLS - 1, WARPS), high - 1), 32 * WARPS>>>(dcell, dfeature);
    });
    to_host(feature, dfeature, features);
    for (int k = 0; k < features; k++)
        sum += feature[k] * (1 + k % LONG);
    report("hog", best, sum);
    return 0;
}
