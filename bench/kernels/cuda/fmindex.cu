// Seeds of 2^18 reads of 64 bases in a genome of 2^22 by an index of Burrows, Wheeler, Ferragina and Manzini: a thread a read, which
// reads a block of the index, 32 bytes, by two loads.
#include "kernels.cuh"

constexpr int BASES = 1 << 22, READS = 1 << 18, LENGTH = 64, LEAST = 12, THREADS = 128;

typedef unsigned long long word;

struct block {
    uint4 counts;
    ulonglong2 bits;
};

struct starts {
    int at[5];
};

__device__ int rank(const block *__restrict__ blocks, int base, int i)
{
    uint4 c = __ldg(&blocks[i / 64].counts);
    ulonglong2 b = __ldg(&blocks[i / 64].bits);
    word is = (base & 1 ? b.x : ~b.x) & (base & 2 ? b.y : ~b.y) & (((word)1 << i % 64) - 1);
    unsigned before = base & 2 ? base & 1 ? c.w : c.z : base & 1 ? c.y : c.x;
    return before + __popcll(is);
}

__global__ void __launch_bounds__(THREADS)
seeds(int n, int reads, starts first, const block *__restrict__ blocks, const ulonglong2 *__restrict__ read,
      int2 *__restrict__ seed, word *__restrict__ total)
{
    __shared__ int begin[5];
    int r = blockIdx.x * THREADS + threadIdx.x;
    if (threadIdx.x < 5)
        begin[threadIdx.x] = first.at[threadIdx.x];
    __syncthreads();
    word mine = 0;
    if (r < reads) {
        ulonglong2 bases = read[r];
        int from = 0, to = n, length = 0;
        int2 best = make_int2(0, 0);
        for (int left = LENGTH; left > 0; left--) {
            int base = (int)(bases.y >> 62);
            bases.y = bases.y << 2 | bases.x >> 62;
            bases.x <<= 2;
            int low = begin[base] + rank(blocks, base, from), high = begin[base] + rank(blocks, base, to);
            if (low < high) {
                from = low;
                to = high;
                length++;
                continue;
            }
            if (length >= LEAST)
                mine += to - from;
            if (length > best.x)
                best = make_int2(length, to - from);
            from = begin[base];
            to = begin[base + 1];
            length = 1;
        }
        if (length >= LEAST)
            mine += to - from;
        if (length > best.x)
            best = make_int2(length, to - from);
        seed[r] = best;
    }
    for (int d = 16; d > 0; d /= 2)
        mine += __shfl_xor_sync(0xffffffff, mine, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, mine);
}

// The places of a cyclic genome by the 32 bases that begin there.
static void sort(int n, const unsigned char *genome, int *place)
{
    word *key = NEW(word, n), *keys = NEW(word, n), window = 0;
    int *other = NEW(int, n);
    for (int k = n + 31; k >= 0; k--) {
        window = window >> 2 | (word)genome[k % n] << 62;
        if (k < n)
            key[k] = window;
    }
    for (int k = 0; k < n; k++)
        place[k] = k;
    for (int shift = 0; shift < 64; shift += 16) {
        int *first = (int *)calloc(65537, sizeof(int));
        for (int k = 0; k < n; k++)
            first[(key[k] >> shift & 65535) + 1]++;
        for (int d = 0; d < 65536; d++)
            first[d + 1] += first[d];
        for (int k = 0; k < n; k++) {
            int to = first[key[k] >> shift & 65535]++;
            keys[to] = key[k];
            other[to] = place[k];
        }
        for (int k = 0; k < n; k++) {
            key[k] = keys[k];
            place[k] = other[k];
        }
        free(first);
    }
    free(key);
    free(keys);
    free(other);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BASES >> args.shift, reads = READS >> args.shift, many = n / 64 + 1, *place = NEW(int, n);
    unsigned now[4] = {0, 0, 0, 0};
    starts begin = {{0, 0, 0, 0, 0}};
    unsigned char *genome = NEW(unsigned char, n);
    block *blocks = NEW(block, many);
    word(*read)[2] = (word(*)[2])NEW(word, 2 * reads), total = 0;
    int2 *seed = NEW(int2, reads);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        // some of it is there twice
        int from = k % 4096 < 1024 && k > 40960 ? k - 40960 : k;
        genome[k] = mix(from) >> 9 & 3;
        begin.at[genome[k] + 1]++;
    }
    for (int c = 0; c < 4; c++)
        begin.at[c + 1] += begin.at[c];
    sort(n, genome, place);
    for (int b = 0; b < many; b++) {
        blocks[b] = {make_uint4(now[0], now[1], now[2], now[3]), {0, 0}};
        for (int k = 64 * b; k < 64 * b + 64 && k < n; k++) {
            int base = genome[(place[k] + n - 1) % n];
            now[base]++;
            blocks[b].bits.x |= (word)(base & 1) << k % 64;
            blocks[b].bits.y |= (word)(base >> 1) << k % 64;
        }
    }
    for (int r = 0; r < reads; r++) {
        int at = mix(r + 5) % (n - LENGTH);
        read[r][0] = read[r][1] = 0;
        for (int k = 0; k < LENGTH; k++) {
            word base = mix(r * LENGTH + k) % 40 == 0 ? mix(k + r) % 4 : genome[at + k];
            read[r][k / 32] |= base << 2 * (k % 32);
        }
    }
    block *dblocks = on_device(blocks, many);
    ulonglong2 *dread = (ulonglong2 *)on_device(read[0], 2 * reads);
    int2 *dseed = device<int2>(reads);
    word *dtotal = device<word>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof total));
        seeds<<<ceiling(reads, THREADS), THREADS>>>(n, reads, begin, dblocks, dread, dseed, dtotal);
        CHECK(cudaMemcpy(&total, dtotal, sizeof total, cudaMemcpyDeviceToHost));
    });
    to_host(seed, dseed, reads);
    for (int r = 0; r < reads; r++)
        sum += seed[r].x + 0.01 * seed[r].y;
    report("fmindex", best, sum + 0.1 * total);
    return 0;
}
