// Normalisation of the rows of a matrix by mean and variance, float, 16384 × 1024: a block a row, of which each thread keeps
// four elements in registers.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int COLUMNS = 1024, THREADS = COLUMNS / 4;

__device__ float sum_of_block(float mine)
{
    __shared__ float all;
    mine = block_reduce(mine, 0.0f, [](float p, float q) { return p + q; });
    if (threadIdx.x == 0)
        all = mine;
    __syncthreads();
    return all;
}

__global__ void normalise(const float4 *__restrict__ x, const float4 *__restrict__ gamma,
                          const float4 *__restrict__ beta, float4 *__restrict__ y)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    float4 v = x[at], g = gamma[threadIdx.x], b = beta[threadIdx.x];
    float mean = sum_of_block(v.x + v.y + v.z + v.w) / COLUMNS;
    v.x -= mean;
    v.y -= mean;
    v.z -= mean;
    v.w -= mean;
    float variance = sum_of_block(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w) / COLUMNS;
    float scale = rsqrtf(variance + 1e-5f);
    y[at] = make_float4(v.x * scale * g.x + b.x, v.y * scale * g.y + b.y, v.z * scale * g.z + b.z, v.w * scale * g.w + b.w);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = 16384 >> args.shift, n = COLUMNS, all = rows * n;
    float *x = NEW(float, all), *y = NEW(float, all), *gamma = NEW(float, n), *beta = NEW(float, n);
    double sum = 0;
    FILL(x, all, 4);
    FILL(gamma, n, 2);
    FILL(beta, n, 1);
    float4 *dx = reinterpret_cast<float4 *>(on_device(x, all)), *dy = device<float4>(all / 4);
    float4 *dgamma = reinterpret_cast<float4 *>(on_device(gamma, n));
    float4 *dbeta = reinterpret_cast<float4 *>(on_device(beta, n));
    double best = fastest(args.repeats, [&] { normalise<<<rows, THREADS>>>(dx, dgamma, dbeta, dy); });
    to_host(y, reinterpret_cast<float *>(dy), all);
    for (int i = 0; i < all; i++)
        sum += fabs(y[i]) * (1 + i % 7);
    report("layernorm", best, sum);
    return 0;
}
