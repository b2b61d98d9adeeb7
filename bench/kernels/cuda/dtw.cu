// The distances by dynamic time warping of 2^17 series of 128 floats from one query within a band of 8 steps: a thread a series, the band in registers.
#include "kernels.cuh"

enum { SERIES = 1 << 17, LENGTH = 128, BAND = 8, WIDE = 2 * BAND + 1 };
#define FAR 1e30f

__global__ void warp(int n, const float *__restrict__ query, const float *__restrict__ series, float *__restrict__ distance)
{
    __shared__ float padded[LENGTH + 2 * BAND];
    for (int j = threadIdx.x; j < LENGTH + 2 * BAND; j += blockDim.x)
        padded[j] = j < BAND || j >= LENGTH + BAND ? 1e18f : query[j - BAND];
    __syncthreads();
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= n)
        return;
    float cost[WIDE + 1];
#pragma unroll
    for (int k = 0; k <= WIDE; k++)
        cost[k] = k == BAND ? 0 : FAR;
    for (int i = 0; i < LENGTH; i++) {
        float x = series[i * n + s], left = FAR;
#pragma unroll
        for (int k = 0; k < WIDE; k++) {
            float d = x - padded[i + k];
            left = d * d + fminf(fminf(cost[k], cost[k + 1]), left);
            cost[k] = left;
        }
    }
    distance[s] = sqrtf(cost[BAND]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SERIES >> args.shift, all = n * LENGTH;
    float *query = NEW(float, LENGTH), *series = NEW(float, all), *distance = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < LENGTH; k++)
        query[k] = number(3 * k + 7);
    FILL(series, all, 1);
    float *dquery = on_device(query, LENGTH), *dseries = on_device(series, all), *ddistance = device<float>(n);
    double best = fastest(args.repeats, [&] { warp<<<ceiling(n, 128), 128>>>(n, dquery, dseries, ddistance); });
    to_host(distance, ddistance, n);
    SUM(sum, distance, n);
    report("dtw", best, sum);
    return 0;
}
