// A filter of 64 taps over 64 channels of 32768 samples, float; samples in shared memory, taps in constant memory; then the energy, a block a channel.
#include "kernels.cuh"

constexpr int TAPS = 64, BLOCK = 256;
__constant__ float tap[TAPS];

__global__ void filter(int n, const float *__restrict__ in, float *__restrict__ out)
{
    __shared__ float tile[BLOCK + TAPS];
    int c = blockIdx.y, first = blockIdx.x * BLOCK;
    for (int k = threadIdx.x; k < BLOCK + TAPS; k += BLOCK)
        if (first + k < n + TAPS)
            tile[k] = in[c * (n + TAPS) + first + k];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int l = 0; l < TAPS; l++)
        sum += tap[l] * tile[threadIdx.x + l];
    if (first + threadIdx.x < n)
        out[c * n + first + threadIdx.x] = sum;
}

__global__ void energies(int n, const float *__restrict__ out, float *__restrict__ energy)
{
    __shared__ float part[32];
    float sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        sum += out[blockIdx.x * n + k] * out[blockIdx.x * n + k];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, d);
        if (threadIdx.x == 0)
            energy[blockIdx.x] = sum;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int channels = 64, n = (1 << 15) >> args.shift;
    float *in = NEW(float, channels * (n + TAPS)), taps[TAPS], *out = NEW(float, channels * n), *energy = NEW(float, channels);
    double sum = 0;
    FILL(in, channels * (n + TAPS), 1);
    FILL(taps, TAPS, 0.1f);
    CHECK(cudaMemcpyToSymbol(tap, taps, sizeof taps));
    float *din = on_device(in, channels * (n + TAPS)), *dout = device<float>(channels * n), *denergy = device<float>(channels);
    double best = fastest(args.repeats, [&] {
        filter<<<dim3(ceiling(n, BLOCK), channels), BLOCK>>>(n, din, dout);
        energies<<<channels, 1024>>>(n, dout, denergy);
    });
    to_host(out, dout, channels * n);
    to_host(energy, denergy, channels);
    for (int k = 0; k < channels * n; k++)
        sum += out[k] * (1 + k % 3);
    SUM(sum, energy, channels);
    report("fir", best, sum);
    return 0;
}
