// A gated unit with GELU for 8192 tokens of 4096 floats as signed bytes with a scale for each token: a block a token, 16 values of a thread in registers.
#include "kernels.cuh"

enum { TOKENS = 8192, HIDDEN = 4096 };

constexpr int THREADS = 256, EACH = HIDDEN / THREADS;

__device__ float gelu(float x)
{
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

__global__ void __launch_bounds__(THREADS) gated(const float *__restrict__ x, const float *__restrict__ bias, signed char *__restrict__ q, float *__restrict__ scale)
{
    __shared__ float part[THREADS / 32];
    size_t t = blockIdx.x;
    const float *row = x + t * 2 * HIDDEN;
    float v[EACH], largest = 0;
#pragma unroll
    for (int k = 0; k < EACH; k++) {
        int j = threadIdx.x + k * THREADS;
        v[k] = gelu(row[j] + bias[j]) * (row[HIDDEN + j] + bias[HIDDEN + j]);
        largest = fmaxf(largest, fabsf(v[k]));
    }
    for (int d = 16; d > 0; d /= 2)
        largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, d));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = largest;
    __syncthreads();
    largest = part[0];
#pragma unroll
    for (int k = 1; k < THREADS / 32; k++)
        largest = fmaxf(largest, part[k]);
    float s = largest / 127.0f, inverse = 1 / s;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        q[t * HIDDEN + threadIdx.x + k * THREADS] = (signed char)rintf(v[k] * inverse);
    if (threadIdx.x == 0)
        scale[t] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TOKENS >> args.shift, all = n * HIDDEN;
    float *x = NEW(float, 2l * all), *bias = NEW(float, 2 * HIDDEN), *scale = NEW(float, n);
    signed char *q = NEW(signed char, all);
    double sum = 0;
    for (long k = 0; k < 2l * all; k++)
        x[k] = 4 * number((unsigned)k) - 2;
    FILL(bias, 2 * HIDDEN, 0.5);
    float *dx = on_device(x, 2l * all), *dbias = on_device(bias, 2 * HIDDEN), *dscale = device<float>(n);
    signed char *dq = device<signed char>(all);
    double best = fastest(args.repeats, [&] { gated<<<n, THREADS>>>(dx, dbias, dq, dscale); });
    to_host(q, dq, all);
    to_host(scale, dscale, n);
    for (int k = 0; k < all; k++)
        sum += abs(q[k]);
    SUM(sum, scale, n);
    report("geglu", best, sum);
    return 0;
}
