// The nearest of 2048 fingerprints of 1024 bits to each of 4096 others by Hamming distance; a thread a query, references through shared memory.
#include "kernels.cuh"

constexpr int WORDS = 32, TILE = 64;

__global__ void nearest(int n, int m, const unsigned *__restrict__ query, const unsigned *__restrict__ reference, int *__restrict__ at,
                        int *__restrict__ distance)
{
    __shared__ unsigned tile[TILE][WORDS];
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 32 * WORDS + 1, place = -1;
    unsigned mine[WORDS];
    for (int w = 0; w < WORDS; w++)
        mine[w] = i < n ? query[i * WORDS + w] : 0;
    for (int first = 0; first < m; first += TILE) {
        for (int k = threadIdx.x; k < TILE * WORDS; k += blockDim.x)
            tile[k / WORDS][k % WORDS] = first + k / WORDS < m ? reference[first * WORDS + k] : 0;
        __syncthreads();
        for (int j = 0; j < min(TILE, m - first); j++) {
            int bits = 0;
#pragma unroll
            for (int w = 0; w < WORDS; w++)
                bits += __popc(mine[w] ^ tile[j][w]);
            if (bits < best) {
                best = bits;
                place = first + j;
            }
        }
        __syncthreads();
    }
    if (i < n) {
        at[i] = place;
        distance[i] = best;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift, m = 2048 >> args.shift, *at = NEW(int, n), *distance = NEW(int, n);
    unsigned *query = NEW(unsigned, n * WORDS), *reference = NEW(unsigned, m * WORDS);
    double sum = 0;
    for (int k = 0; k < n * WORDS; k++)
        query[k] = mix(k);
    for (int k = 0; k < m * WORDS; k++)
        reference[k] = mix(k + 77) & mix(k / WORDS);
    unsigned *dquery = on_device(query, n * WORDS), *dreference = on_device(reference, m * WORDS);
    int *dat = device<int>(n), *ddistance = device<int>(n);
    double best = fastest(args.repeats, [&] { nearest<<<ceiling(n, 32), 32>>>(n, m, dquery, dreference, dat, ddistance); });
    to_host(at, dat, n);
    to_host(distance, ddistance, n);
    for (int i = 0; i < n; i++)
        sum += at[i] + 3.0 * distance[i];
    report("hamming", best, sum);
    return 0;
}
