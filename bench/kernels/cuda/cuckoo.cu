// A table of 2^21 places for 2^20 keys by cuckoo hashing with three functions: atomic exchanges, a thread a key; then
// 2^22 look-ups.
#include "kernels.cuh"

constexpr int TRIES = 500, THREADS = 256;
typedef unsigned long long entry;
constexpr entry EMPTY = 0xffffffffffffffffull;

struct result {
    unsigned long long total;
    unsigned found, lost;
};

__device__ unsigned place(unsigned key, unsigned factor, unsigned mask)
{
    unsigned h = key * factor;
    h ^= h >> 15;
    h *= 0x27d4eb2fu;
    return (h ^ h >> 13) & mask;
}

__device__ unsigned first(unsigned key, unsigned mask) { return place(key, 0x9e3779b1u, mask); }
__device__ unsigned second(unsigned key, unsigned mask) { return place(key, 0x85ebca77u, mask); }
__device__ unsigned third(unsigned key, unsigned mask) { return place(key, 0xc2b2ae3du, mask); }

__global__ void build(int n, unsigned mask, const unsigned *__restrict__ keys, entry *table, result *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    entry mine = (entry)keys[i] << 32 | i;
    unsigned at = first(keys[i], mask);
    for (int tries = 0; tries < TRIES; tries++) {
        mine = atomicExch(&table[at], mine);
        if (mine == EMPTY)
            return;
        unsigned key = mine >> 32, a = first(key, mask), b = second(key, mask);
        at = at == a ? b : at == b ? third(key, mask) : a;
    }
    atomicAdd(&out->lost, 1);
}

__global__ void find(int n, unsigned mask, const unsigned *__restrict__ queries, const entry *__restrict__ table,
                     result *out)
{
    __shared__ unsigned long long totals[THREADS / 32];
    __shared__ unsigned counts[THREADS / 32];
    unsigned long long total = 0;
    unsigned count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned key = queries[i];
        entry e = table[first(key, mask)];
        if (e == EMPTY || e >> 32 != key)
            e = table[second(key, mask)];
        if (e == EMPTY || e >> 32 != key)
            e = table[third(key, mask)];
        if (e != EMPTY && e >> 32 == key) {
            total += e & 0xffffffff;
            count++;
        }
    }
    for (int d = 16; d > 0; d /= 2) {
        total += __shfl_down_sync(0xffffffff, total, d);
        count += __shfl_down_sync(0xffffffff, count, d);
    }
    if (threadIdx.x % 32 == 0) {
        totals[threadIdx.x / 32] = total;
        counts[threadIdx.x / 32] = count;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < THREADS / 32; w++) {
            total += totals[w];
            count += counts[w];
        }
        atomicAdd(&out->total, total);
        atomicAdd(&out->found, count);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift, places = 2 * n, m = 4 * n;
    unsigned *keys = NEW(unsigned, n), *queries = NEW(unsigned, m);
    for (int i = 0; i < n; i++)
        keys[i] = mix(i + 1);
    for (int i = 0; i < m; i++)
        queries[i] = mix(mix(i + 99) % (2 * n) + 1);
    unsigned *dkeys = on_device(keys, n), *dqueries = on_device(queries, m);
    entry *table = device<entry>(places);
    result *out = device<result>(1), *host = pinned<result>();
    int grid = full_grid(find, THREADS);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(table, 0xff, places * sizeof(entry)));
        CHECK(cudaMemsetAsync(out, 0, sizeof *out));
        build<<<ceiling(n, THREADS), THREADS>>>(n, places - 1, dkeys, table, out);
        find<<<grid, THREADS>>>(m, places - 1, dqueries, table, out);
        CHECK(cudaMemcpyAsync(host, out, sizeof *out, cudaMemcpyDeviceToHost));
    });
    report("cuckoo", best, (double)host->total + host->found + 1e12 * host->lost);
    return 0;
}
