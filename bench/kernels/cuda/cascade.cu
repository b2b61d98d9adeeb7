// How far a rumour goes in a graph of 2^16 vertices with 4 to 28 incoming edges (independent cascades): eight lanes a vertex ask those
// before it, a launch a round, after which the host gets the number of changes.
#include "kernels.cuh"

constexpr int VERTICES = 1 << 16, SEEDS = 16, LIMIT = 100, LANES = 8, THREADS = 256;

typedef unsigned long long word;

__device__ word scramble(word z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

__device__ word passes(unsigned u, unsigned v)
{
    word z = ((word)u << 32 | v) * 0x9e3779b97f4a7c15ull;
    return scramble(z) & scramble(z + 0x9e3779b97f4a7c15ull) & scramble(z + 2 * 0x9e3779b97f4a7c15ull);
}

__global__ void begin(int n, word *__restrict__ heard, int *__restrict__ news)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
        heard[v] = v % (n / SEEDS) == 0 ? ~0ull : 0;
    if (v < LIMIT)
        news[v] = 0;
}

__global__ void __launch_bounds__(THREADS)
hear(int n, const int *__restrict__ start, const int *__restrict__ source, const word *__restrict__ heard,
     word *__restrict__ next, int *__restrict__ news)
{
    __shared__ int changes;
    int v = (blockIdx.x * THREADS + threadIdx.x) / LANES, lane = threadIdx.x % LANES;
    if (threadIdx.x == 0)
        changes = 0;
    __syncthreads();
    word before = v < n ? heard[v] : 0, all = before;
    if (v < n && ~before)
        for (int k = start[v] + lane; k < start[v + 1]; k += LANES) {
            int u = source[k];
            word w = heard[u] & ~all;
            if (w)
                all |= w & passes(u, v);
        }
    for (int d = LANES / 2; d > 0; d /= 2)
        all |= __shfl_xor_sync(0xffffffff, all, d);
    if (v < n && lane == 0) {
        next[v] = all;
        if (all != before)
            atomicAdd(&changes, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0 && changes > 0)
        atomicAdd(news, changes);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, *start = NEW(int, n + 1), rounds = 0, *news = pinned<int>(LIMIT);
    double sum = 0;
    start[0] = 0;
    for (int v = 0; v < n; v++)
        start[v + 1] = start[v] + 4 + mix(v) % 25;
    int edges = start[n], *source = NEW(int, edges);
    for (int k = 0; k < edges; k++)
        source[k] = mix(k + 77) % n;
    word *heard = NEW(word, n);
    int *dstart = on_device(start, n + 1), *dsource = on_device(source, edges), *dnews = device<int>(LIMIT);
    word *both[2] = {device<word>(n), device<word>(n)};
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(n, 256), 256>>>(n, both[0], dnews);
        rounds = 0;
        do {
            hear<<<ceiling((long)n * LANES, THREADS), THREADS>>>(n, dstart, dsource, both[rounds % 2], both[(rounds + 1) % 2],
                                                                 dnews + rounds);
            CHECK(cudaMemcpy(news + rounds, dnews + rounds, sizeof(int), cudaMemcpyDeviceToHost));
        } while (news[rounds++] > 0 && rounds < LIMIT);
    });
    to_host(heard, both[rounds % 2], n);
    for (int v = 0; v < n; v++)
        sum += __builtin_popcountll(heard[v]) * (1 + v % 3);
    for (int r = 0; r < rounds; r++)
        sum += news[r] * (r + 1.0);
    report("cascade", best, sum);
    return 0;
}
