// Normalisation by groups of 8 of 256 channels, 64 images of 64 x 64 floats, then SiLU: a block of 512 threads a group, four floats at a time.
#include "kernels.cuh"

enum { IMAGES = 64, CHANNELS = 256, GROUPS = 32, EACH = CHANNELS / GROUPS, POINTS = 64 * 64 };

constexpr int THREADS = 512;

__device__ float silu(float v) { return v / (1.0f + __expf(-v)); }

__global__ void normalise(const float *__restrict__ x, const float *__restrict__ gamma, const float *__restrict__ beta, float *__restrict__ y)
{
    __shared__ float2 part[THREADS / 32];
    int g = blockIdx.x % GROUPS;
    const float4 *from = (const float4 *)(x + (size_t)blockIdx.x * EACH * POINTS);
    float4 *to = (float4 *)(y + (size_t)blockIdx.x * EACH * POINTS);
    float sum = 0, square = 0;
    for (int k = threadIdx.x; k < EACH * POINTS / 4; k += THREADS) {
        float4 v = from[k];
        sum += v.x + v.y + v.z + v.w;
        square += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, d);
        square += __shfl_xor_sync(0xffffffff, square, d);
    }
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = make_float2(sum, square);
    __syncthreads();
    sum = square = 0;
    for (int k = 0; k < THREADS / 32; k++)
        sum += part[k].x, square += part[k].y;
    float mean = sum / (EACH * POINTS), scale = rsqrtf(square / (EACH * POINTS) - mean * mean + 1e-5f);
    for (int k = threadIdx.x; k < EACH * POINTS / 4; k += THREADS) {
        int channel = g * EACH + k / (POINTS / 4);
        float a = scale * gamma[channel], b = beta[channel] - mean * a;
        float4 v = from[k];
        v.x = silu(v.x * a + b);
        v.y = silu(v.y * a + b);
        v.z = silu(v.z * a + b);
        v.w = silu(v.w * a + b);
        to[k] = v;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift, all = images * CHANNELS * POINTS;
    float *x = NEW(float, all), *gamma = NEW(float, CHANNELS), *beta = NEW(float, CHANNELS), *y = NEW(float, all);
    double sum = 0;
    for (int k = 0; k < all; k++)
        x[k] = 3 * number(k) - 1.5;
    FILL(gamma, CHANNELS, 1);
    FILL(beta, CHANNELS, 0.3);
    float *dx = on_device(x, all), *dgamma = on_device(gamma, CHANNELS), *dbeta = on_device(beta, CHANNELS), *dy = device<float>(all);
    double best = fastest(args.repeats, [&] { normalise<<<images * GROUPS, THREADS>>>(dx, dgamma, dbeta, dy); });
    to_host(y, dy, all);
    for (int k = 0; k < all; k++)
        sum += fabs(y[k]);
    report("groupnorm", best, sum);
    return 0;
}
