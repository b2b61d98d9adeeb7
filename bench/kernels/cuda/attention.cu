// Attention of 16 heads with 512 queries and keys of 64 numbers each, float: a block for each query, which is in shared memory, as its
// scores are.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int LENGTH = 512, WIDTH = 64, LANES = 128;

template <class F> __device__ float reduce_block(float x, F f, float *parts)
{
    x = warp_reduce(x, f);
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = x;
    __syncthreads();
    for (int k = 0; k < LANES / 32; k++)
        x = k ? f(x, parts[k]) : parts[0];
    return x;
}

__global__ void attend(int length, const float *__restrict__ q, const float *__restrict__ k, const float *__restrict__ v,
                       float *__restrict__ out)
{
    __shared__ float score[LENGTH], query[WIDTH], parts[LANES / 32];
    int i = blockIdx.x, h = blockIdx.y;
    if (threadIdx.x < WIDTH)
        query[threadIdx.x] = q[(h * length + i) * WIDTH + threadIdx.x];
    __syncthreads();
    float most = -1e30f, sum = 0;
    for (int j = threadIdx.x; j < length; j += LANES) {
        float s = 0;
        const float4 *key = (const float4 *)(k + (h * length + j) * WIDTH);
#pragma unroll
        for (int c = 0; c < WIDTH / 4; c++) {
            float4 a = key[c];
            s += query[4 * c] * a.x + query[4 * c + 1] * a.y + query[4 * c + 2] * a.z + query[4 * c + 3] * a.w;
        }
        score[j] = s * 0.125f;
        most = fmaxf(most, score[j]);
    }
    most = reduce_block(most, [](float a, float b) { return fmaxf(a, b); }, parts);
    for (int j = threadIdx.x; j < length; j += LANES) {
        score[j] = expf(score[j] - most);
        sum += score[j];
    }
    sum = reduce_block(sum, [](float a, float b) { return a + b; }, parts);
    __syncthreads();
    if (threadIdx.x < WIDTH) {
        float s = 0;
#pragma unroll 8
        for (int j = 0; j < length; j++)
            s += score[j] * v[(h * length + j) * WIDTH + threadIdx.x];
        out[(h * length + i) * WIDTH + threadIdx.x] = s / sum;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int heads = 16 >> args.shift, length = LENGTH;
    if (heads == 0)
        heads = 1, length = 32;
    int all = heads * length * WIDTH;
    float *q = NEW(float, all), *k = NEW(float, all), *v = NEW(float, all), *out = NEW(float, all);
    double sum = 0;
    FILL(q, all, 1);
    for (int i = 0; i < all; i++)
        k[i] = number(i + 5) - 0.5, v[i] = number(i + 9);
    float *dq = on_device(q, all), *dk = on_device(k, all), *dv = on_device(v, all), *dout = device<float>(all);
    double best = fastest(args.repeats, [&] { attend<<<dim3(length, heads), LANES>>>(length, dq, dk, dv, dout); });
    to_host(out, dout, all);
    for (int i = 0; i < all; i++)
        sum += out[i] * (1 + i % 7);
    report("attention", best, sum);
    return 0;
}
