// 2048 fingerprints of 1024 bits against 4096 others: a block a fingerprint, whose words are in shared memory, a thread each of the others.
#include "kernels.cuh"

constexpr int WORDS = 16;
typedef unsigned long long bits;

__global__ void similar(int m, const bits *__restrict__ a, const bits *__restrict__ b, float *__restrict__ best, int *found)
{
    __shared__ bits mine[WORDS];
    __shared__ float most[4];
    int i = blockIdx.x;
    if (threadIdx.x < WORDS)
        mine[threadIdx.x] = a[i * WORDS + threadIdx.x];
    __syncthreads();
    float largest = 0;
    int count = 0;
    for (int j = threadIdx.x; j < m; j += blockDim.x) {
        int both = 0, either = 0;
#pragma unroll
        for (int k = 0; k < WORDS; k++) {
            bits x = mine[k], y = b[j * WORDS + k];
            both += __popcll(x & y);
            either += __popcll(x | y);
        }
        float share = (float)both / either;
        largest = fmaxf(largest, share);
        count += share > 1.0f / 3;
    }
    for (int d = 16; d > 0; d /= 2) {
        largest = fmaxf(largest, __shfl_down_sync(0xffffffff, largest, d));
        count += __shfl_down_sync(0xffffffff, count, d);
    }
    if (threadIdx.x % 32 == 0) {
        most[threadIdx.x / 32] = largest;
        atomicAdd(found, count);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        best[i] = fmaxf(fmaxf(most[0], most[1]), fmaxf(most[2], most[3]));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, m = 4096, found = 0;
    bits *a = NEW(bits, n * WORDS), *b = NEW(bits, m * WORDS);
    float *best = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < n * WORDS; k++)
        a[k] = ((bits)mix(k) << 32 | mix(3 * k + 1)) & mix(k + 7) * 0x100000001ull;
    for (int k = 0; k < m * WORDS; k++)
        b[k] = ((bits)mix(5 * k + 2) << 32 | mix(7 * k + 3)) | mix(k / 3) * 0x100000001ull;
    bits *da = on_device(a, n * WORDS), *db = on_device(b, m * WORDS);
    float *dbest = device<float>(n);
    int *dfound = device<int>(1);
    double seconds = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dfound, 0, sizeof(int)));
        similar<<<n, 128>>>(m, da, db, dbest, dfound);
        CHECK(cudaMemcpy(&found, dfound, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(best, dbest, n);
    SUM(sum, best, n);
    report("similar", seconds, sum + found);
    return 0;
}
