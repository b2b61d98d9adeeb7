// Histogram, 256 bins, 2^26 keys of 4 bytes: one histogram for each block in shared memory, added to the result at
// its end; four keys in one access.
#include "common.cuh"

#define BINS 256

__global__ void histogram(int n, const int4 *__restrict__ key, int *__restrict__ bin)
{
    __shared__ int mine[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        int4 k = key[i];
        atomicAdd(&mine[k.x], 1);
        atomicAdd(&mine[k.y], 1);
        atomicAdd(&mine[k.z], 1);
        atomicAdd(&mine[k.w], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bin[b], mine[b]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (26 - args.shift), host[BINS];
    int *key = device<int>(n), *bin = device<int>(BINS);
    long long sum = 0;
    fill(n, key, [] __device__(int i) { return mix(i) % BINS; });
    CHECK(cudaMemset(bin, 0, sizeof host));
    int grid = full_grid(histogram, 512);
    double usual = fastest(args.repeats, [&] { histogram<<<grid, 512>>>(n, (const int4 *)key, bin); }), best = usual;
    // The checksum is that of the first series of laps alone, as in the OpenACC program.
    CHECK(cudaMemcpy(host, bin, sizeof host, cudaMemcpyDeviceToHost));
    for (int b = 0; b < BINS; b++)
        sum += ADDEND(host[b], 1, b);
    for (int threads : {128, 256, 1024}) {
        grid = full_grid(histogram, threads);
        best = fmin(best, fastest(args.repeats, [&] { histogram<<<grid, threads>>>(n, (const int4 *)key, bin); }));
    }
    print_row("histogram", n, usual, best, 4.0 * n, 'B', sum);
    return 0;
}
