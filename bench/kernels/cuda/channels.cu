// Histograms of the three colours of an image of 2^24 pixels of four bytes, 256 bins each: each block counts in shared memory.
#include "kernels.cuh"

constexpr int BINS = 256;

__global__ void count(int n, const uchar4 *__restrict__ p, int *bins)
{
    __shared__ int mine[3 * BINS];
    for (int b = threadIdx.x; b < 3 * BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 v = p[i];
        atomicAdd(&mine[v.x], 1);
        atomicAdd(&mine[BINS + v.y], 1);
        atomicAdd(&mine[2 * BINS + v.z], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 3 * BINS; b += blockDim.x)
        atomicAdd(&bins[b], mine[b]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 24) >> args.shift, *bins = NEW(int, 3 * BINS);
    uchar4 *p = NEW(uchar4, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned h = mix(i);
        p[i].x = h & 255, p[i].y = h >> 8 & 63, p[i].z = h >> 16 & h >> 24 & 255, p[i].w = 0;
    }
    FILL(bins, 3 * BINS, 0);
    uchar4 *dp = on_device(p, n);
    int *dbins = on_device(bins, 3 * BINS), grid = full_grid(count, 256);
    double best = fastest(args.repeats, [&] { count<<<grid, 256>>>(n, dp, dbins); });
    to_host(bins, dbins, 3 * BINS);
    for (int b = 0; b < 3 * BINS; b++)
        sum += (double)bins[b] * (1 + b % 11);
    report("channels", best, sum);
    return 0;
}
