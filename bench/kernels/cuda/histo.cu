// Histogram of 2^24 ints that have the values of bytes: each block counts in shared memory.
#include "kernels.cuh"

constexpr int BINS = 256;

__global__ void count(int n, const int4 *__restrict__ data, int *__restrict__ bins)
{
    __shared__ int mine[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x)
        mine[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        int4 v = data[i];
        atomicAdd(&mine[v.x], 1);
        atomicAdd(&mine[v.y], 1);
        atomicAdd(&mine[v.z], 1);
        atomicAdd(&mine[v.w], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x)
        atomicAdd(&bins[k], mine[k]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 24) >> args.shift, *data = NEW(int, n), *bins = NEW(int, BINS), grid = full_grid(count, 256);
    double sum = 0;
    // Brighter values are rarer, as in an image.
    for (int i = 0; i < n; i++)
        data[i] = (int)(BINS * number(2 * i) * sqrt(number(2 * i + 1)));
    int4 *ddata = reinterpret_cast<int4 *>(on_device(data, n));
    int *dbins = device<int>(BINS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dbins, 0, BINS * sizeof(int)));
        count<<<grid, 256>>>(n, ddata, dbins);
    });
    to_host(bins, dbins, BINS);
    for (int k = 0; k < BINS; k++)
        sum += (double)bins[k] * (1 + k % 7);
    report("histo", best, sum);
    return 0;
}
