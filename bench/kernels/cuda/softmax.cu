// Softmax of the rows of a matrix, float, 16384 × 1024: a block a row, which it keeps in registers.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int COLUMNS = 1024, THREADS = 128, EACH = COLUMNS / THREADS;

template <class F> __device__ float of_block(float mine, float zero, F combine)
{
    __shared__ float all;
    mine = block_reduce(mine, zero, combine);
    __syncthreads();
    if (threadIdx.x == 0)
        all = mine;
    __syncthreads();
    return all;
}

__global__ void softmax(const float *__restrict__ x, float *__restrict__ y)
{
    const float *from = x + (size_t)blockIdx.x * COLUMNS;
    float *to = y + (size_t)blockIdx.x * COLUMNS, v[EACH], most = -1e30f, sum = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        v[k] = from[k * THREADS + threadIdx.x];
        most = fmaxf(most, v[k]);
    }
    most = of_block(most, -1e30f, [](float p, float q) { return fmaxf(p, q); });
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        v[k] = expf(v[k] - most);
        sum += v[k];
    }
    sum = of_block(sum, 0.0f, [](float p, float q) { return p + q; });
#pragma unroll
    for (int k = 0; k < EACH; k++)
        to[k * THREADS + threadIdx.x] = v[k] / sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = 16384 >> args.shift, all = rows * COLUMNS;
    float *x = NEW(float, all), *y = NEW(float, all);
    double sum = 0;
    FILL(x, all, 4);
    float *dx = on_device(x, all), *dy = device<float>(all);
    double best = fastest(args.repeats, [&] { softmax<<<rows, THREADS>>>(dx, dy); });
    to_host(y, dy, all);
    for (int i = 0; i < all; i++)
        sum += y[i] * (i % 7);
    report("softmax", best, sum);
    return 0;
}
