// The way back through a normalisation by the root of the mean square, float, 8192 rows of 2048: a block keeps a row in
// registers, four numbers twice for each thread, goes on to other rows and adds up the columns' scales meanwhile.
#include "kernels.cuh"

constexpr int ROWS = 8192, COLUMNS = 2048, THREADS = 256, PARTS = COLUMNS / 4 / THREADS;

__global__ void __launch_bounds__(THREADS)
backward(int rows, const float4 *__restrict__ x, const float4 *__restrict__ scale, const float4 *__restrict__ dy,
         float4 *__restrict__ dx, float *__restrict__ dscale)
{
    __shared__ float2 parts[2][THREADS / 32];
    float4 w[PARTS], columns[PARTS] = {};
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, turn = 0;
#pragma unroll
    for (int p = 0; p < PARTS; p++)
        w[p] = scale[p * THREADS + threadIdx.x];
    for (int i = blockIdx.x; i < rows; i += gridDim.x, turn ^= 1) {
        float4 a[PARTS], g[PARTS];
        float squares = 0, dot = 0;
        int row = i * (COLUMNS / 4) + threadIdx.x;
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            a[p] = x[row + p * THREADS];
            g[p] = dy[row + p * THREADS];
        }
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            squares += a[p].x * a[p].x + a[p].y * a[p].y + a[p].z * a[p].z + a[p].w * a[p].w;
            dot += a[p].x * w[p].x * g[p].x + a[p].y * w[p].y * g[p].y;
            dot += a[p].z * w[p].z * g[p].z + a[p].w * w[p].w * g[p].w;
        }
        for (int d = 16; d > 0; d /= 2) {
            squares += __shfl_xor_sync(0xffffffff, squares, d);
            dot += __shfl_xor_sync(0xffffffff, dot, d);
        }
        if (lane == 0)
            parts[turn][warp] = make_float2(squares, dot);
        __syncthreads();
        squares = dot = 0;
#pragma unroll
        for (int k = 0; k < THREADS / 32; k++) {
            squares += parts[turn][k].x;
            dot += parts[turn][k].y;
        }
        float r = 1 / sqrtf(squares / COLUMNS + 1e-6f), shift = dot * r * r / COLUMNS;
#pragma unroll
        for (int p = 0; p < PARTS; p++) {
            float4 change;
            change.x = r * (g[p].x * w[p].x - a[p].x * shift);
            change.y = r * (g[p].y * w[p].y - a[p].y * shift);
            change.z = r * (g[p].z * w[p].z - a[p].z * shift);
            change.w = r * (g[p].w * w[p].w - a[p].w * shift);
            dx[row + p * THREADS] = change;
            columns[p].x += g[p].x * a[p].x * r;
            columns[p].y += g[p].y * a[p].y * r;
            columns[p].z += g[p].z * a[p].z * r;
            columns[p].w += g[p].w * a[p].w * r;
        }
    }
#pragma unroll
    for (int p = 0; p < PARTS; p++) {
        float *to = dscale + 4 * (p * THREADS + threadIdx.x);
        atomicAdd(to, columns[p].x);
        atomicAdd(to + 1, columns[p].y);
        atomicAdd(to + 2, columns[p].z);
        atomicAdd(to + 3, columns[p].w);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, all = rows * COLUMNS, blocks = full_grid(backward, THREADS);
    float *x = NEW(float, all), *dy = NEW(float, all), *dx = NEW(float, all), *scale = NEW(float, COLUMNS);
    float *dscale = NEW(float, COLUMNS);
    double sum = 0;
    if (blocks > rows)
        blocks = rows;
    for (int k = 0; k < all; k++) {
        x[k] = number(2 * k) - 0.5;
        dy[k] = number(2 * k + 1) - 0.3;
    }
    for (int k = 0; k < COLUMNS; k++)
        scale[k] = 0.5 + number(k);
    auto four = [](float *p) { return reinterpret_cast<float4 *>(p); };
    float4 *dev_x = four(on_device(x, all)), *dev_dy = four(on_device(dy, all)), *dev_dx = four(device<float>(all));
    float4 *dev_scale = four(on_device(scale, COLUMNS));
    float *dev_dscale = device<float>(COLUMNS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dev_dscale, 0, COLUMNS * sizeof(float)));
        backward<<<blocks, THREADS>>>(rows, dev_x, dev_scale, dev_dy, dev_dx, dev_dscale);
    });
    to_host(dx, reinterpret_cast<float *>(dev_dx), all);
    to_host(dscale, dev_dscale, COLUMNS);
    for (int k = 0; k < all; k++)
        sum += fabsf(dx[k]);
    for (int k = 0; k < COLUMNS; k++)
        sum += fabsf(dscale[k]) * 100;
    report("rmsgrad", best, sum);
    return 0;
}
