// The 64 largest of 32768 scores in each of 2048 rows of floats, as sampling the next word needs them: a block a
// row; digits of eleven bits are counted until few enough are left, these come to shared memory and count who is
// larger.
#include "kernels.cuh"

typedef unsigned long long wide;

constexpr int ROWS = 2048, WORDS = 32768, BEST = 64, THREADS = 512, BITS = 11, BINS = 1 << BITS, MOST = 1024;

__device__ unsigned ordered(float x)
{
    unsigned bits = __float_as_uint(x);
    return bits ^ ((int)bits < 0 ? 0xffffffffu : 0x80000000u);
}

__device__ float score_of(unsigned key) { return __uint_as_float(key ^ (key >> 31 ? 0x80000000u : 0xffffffffu)); }

// The bin in which the number `left`, counted from the last bin on, lies: bin, number in later bins, number in it.
__device__ int3 find(const unsigned *count, int left)
{
    __shared__ int sums[THREADS / 32], result[3];
    constexpr int EACH = BINS / THREADS;
    // thread 0 has the last bins
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, last = BINS - 1 - threadIdx.x * EACH, own = 0;
    for (int k = 0; k < EACH; k++)
        own += count[last - k];
    int sum = own;
    for (int d = 1; d < 32; d *= 2) {
        int before = __shfl_up_sync(0xffffffff, sum, d);
        if (lane >= d)
            sum += before;
    }
    if (lane == 31)
        sums[warp] = sum;
    __syncthreads();
    for (int k = 0; k < warp; k++)
        sum += sums[k];
    int above = sum - own;
    if (above < left && sum >= left) {
        int k = 0;
        while (above + (int)count[last - k] < left)
            above += count[last - k++];
        result[0] = last - k;
        result[1] = above;
        result[2] = count[last - k];
    }
    __syncthreads();
    return make_int3(result[0], result[1], result[2]);
}

__global__ void __launch_bounds__(THREADS)
largest(const float4 *__restrict__ score, float *__restrict__ weight, int *__restrict__ word)
{
    __shared__ unsigned count[BINS];
    __shared__ wide found[MOST], sorted[BEST];
    __shared__ int places, ties;
    __shared__ float total;
    unsigned least = 0;
    int left = BEST, shift = 32, taken = 0;
    score += (size_t)blockIdx.x * (WORDS / 4);
    if (threadIdx.x == 0)
        places = ties = 0;
    // all keys whose bits from `shift` on are at least those of `least` will be taken
    do {
        int bits = shift < BITS ? shift : BITS, above = shift;
        shift -= bits;
        __syncthreads();
        for (int b = threadIdx.x; b < BINS; b += THREADS)
            count[b] = 0;
        __syncthreads();
        for (int k = threadIdx.x; k < WORDS / 4; k += THREADS) {
            float4 s = score[k];
            float four[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
            for (int c = 0; c < 4; c++) {
                unsigned key = ordered(four[c]);
                if ((wide)key >> above == (wide)least >> above)
                    atomicAdd(&count[key >> shift & ((1u << bits) - 1)], 1);
            }
        }
        __syncthreads();
        int3 bin = find(count, left);
        least |= (unsigned)bin.x << shift;
        left -= bin.y;
        taken = BEST - left + bin.z;
    } while (taken > MOST && shift > 0);
    for (int k = threadIdx.x; k < WORDS / 4; k += THREADS) {
        float4 s = score[k];
        float four[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
        for (int c = 0; c < 4; c++) {
            unsigned key = ordered(four[c]);
            // of equal ones not more than are needed
            if (key >= least && (key > least || shift > 0 || atomicAdd(&ties, 1) < left))
                found[atomicAdd(&places, 1)] = (wide)key << 32 | (unsigned)~(4 * k + c);
        }
    }
    __syncthreads();
    for (int a = threadIdx.x; a < places; a += THREADS) {
        wide mine = found[a];
        int rank = 0;
        for (int b = 0; b < places; b++)
            rank += found[b] > mine;
        if (rank < BEST)
            sorted[rank] = mine;
    }
    __syncthreads();
    float most = score_of(sorted[0] >> 32);
    if (threadIdx.x < 32) {
        float sum = expf(score_of(sorted[threadIdx.x] >> 32) - most);
        sum += expf(score_of(sorted[threadIdx.x + 32] >> 32) - most);
        for (int d = 16; d > 0; d /= 2)
            sum += __shfl_xor_sync(0xffffffff, sum, d);
        if (threadIdx.x == 0)
            total = sum;
    }
    __syncthreads();
    if (threadIdx.x < BEST) {
        wide mine = sorted[threadIdx.x];
        weight[blockIdx.x * BEST + threadIdx.x] = expf(score_of(mine >> 32) - most) / total;
        word[blockIdx.x * BEST + threadIdx.x] = ~(unsigned)mine;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, *word = NEW(int, rows * BEST);
    float *score = NEW(float, rows * WORDS), *weight = NEW(float, rows * BEST);
    double sum = 0;
    for (int k = 0; k < rows * WORDS; k++)
        score[k] = (int)mix(k) * 0x1p-29 + (int)mix(k + 77) * 0x1p-30;
    float *dscore = on_device(score, rows * WORDS), *dweight = device<float>(rows * BEST);
    int *dword = device<int>(rows * BEST);
    double best = fastest(args.repeats, [&] { largest<<<rows, THREADS>>>((float4 *)dscore, dweight, dword); });
    to_host(weight, dweight, rows * BEST);
    to_host(word, dword, rows * BEST);
    for (int k = 0; k < rows * BEST; k++)
        sum += weight[k] * (k % BEST + 1) + score[k / BEST * WORDS + word[k]];
    report("topk", best, sum);
    return 0;
}
