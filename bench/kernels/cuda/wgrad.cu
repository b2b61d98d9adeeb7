// What the weights of a layer of 3 x 3 convolutions learn from a batch, float: a block for 16 x 16 pairs of channels of an image, a thread a pair with its
// nine sums in registers, rows of both in shared memory.
#include "kernels.cuh"

enum { IMAGES = 32, CHANNELS = 64, SIDE = 28, AREA = SIDE * SIDE, TAPS = 9, TILE = 16, THREADS = TILE * TILE };

__global__ void __launch_bounds__(THREADS) wgrad(const float *__restrict__ in, const float *__restrict__ slope, float *__restrict__ weight)
{
    __shared__ float rows[TILE][3][SIDE + 2], slopes[TILE][SIDE];
    int k0 = blockIdx.x * TILE, c0 = blockIdx.y * TILE, k = threadIdx.x / TILE, c = threadIdx.x % TILE;
    in += (blockIdx.z * CHANNELS + c0) * AREA;
    slope += (blockIdx.z * CHANNELS + k0) * AREA;
    float sum[TAPS] = {};
    for (int y = 0; y < SIDE; y++) {
        __syncthreads();
        for (int e = threadIdx.x; e < TILE * 3 * (SIDE + 2); e += THREADS) {
            int x = e % (SIDE + 2) - 1, r = e / (SIDE + 2) % 3, from = y + r - 1;
            (&rows[0][0][0])[e] = x >= 0 && x < SIDE && from >= 0 && from < SIDE ? in[e / (3 * (SIDE + 2)) * AREA + from * SIDE + x] : 0;
        }
        for (int e = threadIdx.x; e < TILE * SIDE; e += THREADS)
            slopes[e / SIDE][e % SIDE] = slope[e / SIDE * AREA + y * SIDE + e % SIDE];
        __syncthreads();
        float near[3][3];
#pragma unroll
        for (int r = 0; r < 3; r++) {
            near[r][1] = rows[c][r][0];
            near[r][2] = rows[c][r][1];
        }
#pragma unroll
        for (int x = 0; x < SIDE; x++) {
            float s = slopes[k][x];
#pragma unroll
            for (int r = 0; r < 3; r++) {
                near[r][0] = near[r][1];
                near[r][1] = near[r][2];
                near[r][2] = rows[c][r][x + 2];
#pragma unroll
                for (int d = 0; d < 3; d++)
                    sum[3 * r + d] += s * near[r][d];
            }
        }
    }
#pragma unroll
    for (int t = 0; t < TAPS; t++)
        atomicAdd(&weight[((k0 + k) * CHANNELS + c0 + c) * TAPS + t], sum[t]);
}

__global__ void biases(const float *__restrict__ slope, float *__restrict__ bias)
{
    int k = blockIdx.x;
    float sum = 0;
    slope += (blockIdx.y * CHANNELS + k) * AREA;
    for (int at = threadIdx.x; at < AREA; at += THREADS)
        sum += slope[at];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&bias[k], sum);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift, all = images * CHANNELS * AREA, weights = CHANNELS * CHANNELS * TAPS;
    float *in = NEW(float, all), *slope = NEW(float, all), *weight = NEW(float, weights), *bias = NEW(float, CHANNELS);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        in[k] = fmax(0.0, number(k) - 0.3);
        slope[k] = number(k + 3000017) - 0.2;
    }
    float *din = on_device(in, all), *dslope = on_device(slope, all), *dweight = device<float>(weights), *dbias = device<float>(CHANNELS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dweight, 0, weights * sizeof(float)));
        CHECK(cudaMemsetAsync(dbias, 0, CHANNELS * sizeof(float)));
        wgrad<<<dim3(CHANNELS / TILE, CHANNELS / TILE, images), THREADS>>>(din, dslope, dweight);
        biases<<<dim3(CHANNELS, images), THREADS>>>(dslope, dbias);
    });
    to_host(weight, dweight, weights);
    to_host(bias, dbias, CHANNELS);
    for (int k = 0; k < weights; k++)
        sum += weight[k] * (1 + k % 9);
    SUM(sum, bias, CHANNELS);
    report("wgrad", best, sum);
    return 0;
}
