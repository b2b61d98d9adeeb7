// Minimisers of a genome of 2^22 bases: hashes of canonical words of 15 bases, the place of the least in each window of ten, and how many
// places are chosen; a thread a word, hashes of a block's windows through shared memory, counts by shuffles of the warps.
#include "kernels.cuh"

constexpr int BASES = 1 << 22, LETTERS = 15, WINDOW = 10, BLOCK = 256;

__global__ void hashes(int words, const unsigned char *__restrict__ base, unsigned *__restrict__ hash)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words)
        return;
    unsigned forward = 0, backward = 0;
#pragma unroll
    for (int j = 0; j < LETTERS; j++) {
        unsigned b = base[i + j];
        forward = forward << 2 | b;
        backward |= (3 - b) << 2 * j;
    }
    unsigned h = min(forward, backward);
    h ^= h >> 16;
    h *= 0x7feb352du;
    h ^= h >> 15;
    h *= 0x846ca68bu;
    h ^= h >> 16;
    hash[i] = h;
}

__global__ void least(int words, int windows, const unsigned *__restrict__ hash, int *__restrict__ place)
{
    __shared__ unsigned tile[BLOCK + WINDOW];
    int first = blockIdx.x * BLOCK, i = first + threadIdx.x;
    for (int k = threadIdx.x; k < BLOCK + WINDOW - 1; k += BLOCK)
        tile[k] = first + k < words ? hash[first + k] : ~0u;
    __syncthreads();
    if (i >= windows)
        return;
    unsigned best = tile[threadIdx.x];
    int at = 0;
#pragma unroll
    for (int j = 1; j < WINDOW; j++) {
        unsigned h = tile[threadIdx.x + j];
        if (h < best) {
            best = h;
            at = j;
        }
    }
    place[i] = i + at;
}

__global__ void count(int windows, const int *__restrict__ place, int *__restrict__ chosen)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    int mine = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < windows; i += gridDim.x * BLOCK)
        mine += i == 0 || place[i] != place[i - 1];
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_down_sync(~0u, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&total, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(chosen, total);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BASES >> args.shift, words = n - LETTERS + 1, windows = words - WINDOW + 1, *place = NEW(int, n), *chosen = pinned<int>();
    unsigned char *base = NEW(unsigned char, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        base[i] = mix(i + 17) >> 7 & 3;
    unsigned char *dbase = on_device(base, n);
    unsigned *dhash = device<unsigned>(n);
    int *dplace = device<int>(n), *dchosen = device<int>(1), grid = full_grid(count, BLOCK);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dchosen, 0, sizeof(int)));
        hashes<<<ceiling(words, BLOCK), BLOCK>>>(words, dbase, dhash);
        least<<<ceiling(windows, BLOCK), BLOCK>>>(words, windows, dhash, dplace);
        count<<<grid, BLOCK>>>(windows, dplace, dchosen);
        CHECK(cudaMemcpyAsync(chosen, dchosen, sizeof(int), cudaMemcpyDeviceToHost));
    });
    to_host(place, dplace, windows);
    for (int i = 0; i < windows; i++)
        sum += place[i] - i + 1e-3 * (place[i] % 1000);
    report("minimizers", best, sum + *chosen);
    return 0;
}
