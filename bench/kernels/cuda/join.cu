// A join of two tables by a hash: chains of the 2^20 rows of the smaller one, whose heads are exchanged atomically; the rows in the chains have
// key, price and successor in 16 bytes, a thread walks for a row of the larger table, and warps sum how many pairs there are.
#include "kernels.cuh"
#include <algorithm>

constexpr int BUILD = 1 << 20, PROBE = 1 << 22;

__device__ unsigned slot_of(unsigned key, int bits) { return key * 2654435769u >> (32 - bits); }

__global__ void build(int n, int bits, const unsigned *__restrict__ keys, const int *__restrict__ prices, int *__restrict__ head,
                      int4 *__restrict__ entries)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = keys[i];
    entries[i] = make_int4(key, prices[i], atomicExch(&head[slot_of(key, bits)], i), 0);
}

__global__ void probe(int m, int bits, const unsigned *__restrict__ wanted, const int *__restrict__ amount, const int *__restrict__ head,
                      const int4 *__restrict__ entries, int *__restrict__ result, unsigned long long *__restrict__ pairs)
{
    unsigned found = 0;
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < m; j += gridDim.x * blockDim.x) {
        unsigned key = wanted[j];
        int sum = 0;
        for (int i = head[slot_of(key, bits)]; i >= 0;) {
            int4 e = entries[i];
            if ((unsigned)e.x == key) {
                sum += e.y;
                found++;
            }
            i = e.z;
        }
        result[j] = sum * amount[j];
    }
    for (int d = 16; d > 0; d /= 2)
        found += __shfl_xor_sync(0xffffffff, found, d);
    if (threadIdx.x % 32 == 0)
        atomicAdd(pairs, (unsigned long long)found);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BUILD >> args.shift, m = PROBE >> args.shift, bits = 20 - args.shift;
    unsigned *keys = NEW(unsigned, n), *wanted = NEW(unsigned, m);
    int *prices = NEW(int, n), *amount = NEW(int, m), *result = NEW(int, m);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        keys[i] = mix(mix(i) % (2 * n) + 7);
        prices[i] = 1 + mix(i + 3) % 1000;
    }
    for (int j = 0; j < m; j++) {
        wanted[j] = mix(mix(j + n) % (2 * n) + 7);
        amount[j] = 1 + mix(j + 5) % 9;
    }
    unsigned *dkeys = on_device(keys, n), *dwanted = on_device(wanted, m);
    int *dprices = on_device(prices, n), *damount = on_device(amount, m), *head = device<int>(1 << bits), *dresult = device<int>(m);
    int4 *entries = device<int4>(n);
    unsigned long long *dpairs = device<unsigned long long>(1), *pairs = pinned<unsigned long long>();
    int grid = std::min(ceiling(m, 256), full_grid(probe, 256));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(head, 0xff, sizeof(int) << bits));
        CHECK(cudaMemsetAsync(dpairs, 0, sizeof *dpairs));
        build<<<ceiling(n, 256), 256>>>(n, bits, dkeys, dprices, head, entries);
        probe<<<grid, 256>>>(m, bits, dwanted, damount, head, entries, dresult, dpairs);
        CHECK(cudaMemcpyAsync(pairs, dpairs, sizeof *pairs, cudaMemcpyDeviceToHost));
    });
    to_host(result, dresult, m);
    SUM(sum, result, m);
    report("join", best, sum + *pairs);
    return 0;
}
