// Where 16 proteins may bind in a genome of 2^24 bases: a block scans 8192 places for a protein, whose weights for
// four bases at once and for both strands, in the halves of a word, it has put into tables; a thread shifts 32
// windows.
#include "kernels.cuh"

typedef unsigned long long wide;

constexpr int BASES = 1 << 24, MOTIFS = 16, WIDTH = 12, CHUNK = 8192, THRESHOLD = 600, THREADS = 256;
constexpr int EACH = CHUNK / THREADS, BIAS = 2000;

__global__ void __launch_bounds__(THREADS)
scan(int n, const unsigned char *__restrict__ base, const int *__restrict__ weight, int *__restrict__ hits,
     wide *__restrict__ best)
{
    __shared__ int table[WIDTH / 4][256];
    __shared__ wide keys[THREADS / 32];
    __shared__ int counts[THREADS / 32];
    int m = blockIdx.y, first = blockIdx.x * CHUNK + threadIdx.x * EACH, count = 0, most = -1, place = 0;
    weight += m * WIDTH * 4;
    for (int p = 0; p < WIDTH / 4; p++) {
        int there = BIAS, back = BIAS;
        for (int k = 0; k < 4; k++) {
            int b = threadIdx.x >> 2 * k & 3, at = 4 * p + k;
            there += weight[at * 4 + b];
            back += weight[(WIDTH - 1 - at) * 4 + 3 - b];
        }
        table[p][threadIdx.x] = there | back << 16;
    }
    __syncthreads();
    uint4 bytes[3];
    for (int k = 0; k < 3; k++)
        bytes[k] = reinterpret_cast<const uint4 *>(base + first)[k];
    const unsigned words[12] = {bytes[0].x, bytes[0].y, bytes[0].z, bytes[0].w, bytes[1].x, bytes[1].y,
                                bytes[1].z, bytes[1].w, bytes[2].x, bytes[2].y, bytes[2].z, bytes[2].w};
    unsigned window = 0;
#pragma unroll
    for (int k = 0; k < EACH + WIDTH - 1; k++) {
        window = window >> 2 | (words[k / 4] >> 8 * (k % 4) & 3) << 22;
        if (k < WIDTH - 1)
            continue;
        int sum = table[0][window & 255] + table[1][window >> 8 & 255] + table[2][window >> 16];
        int there = sum & 0xffff, back = sum >> 16, score = max(there, back);
        count += (there >= THRESHOLD + 3 * BIAS) + (back >= THRESHOLD + 3 * BIAS);
        if (score > most) {
            most = score;
            place = first + k - (WIDTH - 1);
        }
    }
    wide key = (wide)(most - 3 * BIAS + 10000) << 32 | (unsigned)(n - place);
    for (int d = 16; d > 0; d /= 2)
        key = max(key, __shfl_xor_sync(0xffffffff, key, d));
    count = __reduce_add_sync(0xffffffff, count);
    if (threadIdx.x % 32 == 0) {
        keys[threadIdx.x / 32] = key;
        counts[threadIdx.x / 32] = count;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < THREADS / 32; k++) {
            key = max(key, keys[k]);
            count += counts[k];
        }
        atomicMax(&best[m], key);
        atomicAdd(&hits[m], count);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BASES >> args.shift, weight[MOTIFS * WIDTH * 4], hits[MOTIFS];
    unsigned char *base = NEW(unsigned char, n + 16);
    wide keys[MOTIFS];
    double sum = 0;
    for (int i = 0; i < n + 16; i++)
        base[i] = mix(i) >> 7 & 3;
    for (int k = 0; k < MOTIFS * WIDTH * 4; k++)
        weight[k] = mix(k / 4) % 4 == (unsigned)k % 4 ? 80 + (int)(mix(k) % 60) : -(int)(mix(k) % 120);
    unsigned char *dbase = on_device(base, n + 16);
    int *dweight = on_device(weight, MOTIFS * WIDTH * 4), *dhits = device<int>(MOTIFS);
    wide *dbest = device<wide>(MOTIFS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dhits, 0, MOTIFS * sizeof(int)));
        CHECK(cudaMemsetAsync(dbest, 0, MOTIFS * sizeof(wide)));
        scan<<<dim3(n / CHUNK, MOTIFS), THREADS>>>(n, dbase, dweight, dhits, dbest);
    });
    to_host(hits, dhits, MOTIFS);
    to_host(keys, dbest, MOTIFS);
    for (int m = 0; m < MOTIFS; m++)
        sum += (m + 1.0) * (hits[m] * 1000.0 + (double)(keys[m] >> 32) * 100 + (double)(n - (keys[m] & 0xffffffff)));
    report("motifs", best, sum);
    return 0;
}
