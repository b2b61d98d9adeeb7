// 4096 Mersenne twisters of 19 words each, 512 numbers from each: their mean and a histogram of 16 bins; a thread a stream, bins in shared memory.
#include "kernels.cuh"

constexpr int NUMBERS = 512, WORDS = 19, SHIFT = 9, BINS = 16;

__global__ void streams(int n, const unsigned *__restrict__ seed, float *__restrict__ mean, int *__restrict__ bins)
{
    __shared__ int own[BINS];
    if (threadIdx.x < BINS)
        own[threadIdx.x] = 0;
    __syncthreads();
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < n) {
        unsigned state[WORDS];
        float sum = 0;
        state[0] = seed[s];
        for (int k = 1; k < WORDS; k++)
            state[k] = 1812433253u * (state[k - 1] ^ state[k - 1] >> 30) + k;
        int now = 0;
        for (int k = 0; k < NUMBERS; k++) {
            int next = now + 1 < WORDS ? now + 1 : 0, far = now + SHIFT < WORDS ? now + SHIFT : now + SHIFT - WORDS;
            unsigned x = (state[now] & 0x80000000u) | (state[next] & 0x7fffffffu);
            x = state[far] ^ x >> 1 ^ (x & 1 ? 0x9908b0dfu : 0);
            state[now] = x;
            now = next;
            x ^= x >> 11;
            x ^= x << 7 & 0x9d2c5680u;
            x ^= x << 15 & 0xefc60000u;
            x ^= x >> 18;
            sum += (x >> 8) * 0x1p-24f;
            atomicAdd(&own[x >> 28], 1);
        }
        mean[s] = sum / NUMBERS;
    }
    __syncthreads();
    if (threadIdx.x < BINS)
        atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift, bins[BINS] = {0};
    unsigned *seed = NEW(unsigned, n);
    float *mean = NEW(float, n);
    double sum = 0;
    for (int s = 0; s < n; s++)
        seed[s] = mix(s) | 1;
    unsigned *dseed = on_device(seed, n);
    float *dmean = device<float>(n);
    int *dbins = on_device(bins, BINS);
    double best = fastest(args.repeats, [&] { streams<<<ceiling(n, 64), 64>>>(n, dseed, dmean, dbins); });
    to_host(mean, dmean, n);
    to_host(bins, dbins, BINS);
    SUM(sum, mean, n);
    for (int k = 0; k < BINS; k++)
        sum += (double)bins[k] / bins[0] * k;
    report("twister", best, sum);
    return 0;
}
