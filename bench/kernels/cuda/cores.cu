// The k-cores of a graph of 2^16 vertices with about 24 neighbours each: vertices in the order in which they go, a warp for each of a round, whose
// lanes take a neighbour from those around it and put behind what that makes due.
#include "kernels.cuh"

constexpr int VERTICES = 1 << 16, LEAST = 10, SPREAD = 5, THREADS = 256;

__global__ void prepare(int n, const int *__restrict__ first, int *__restrict__ degree, int *__restrict__ core, int *least)
{
    int v = blockIdx.x * THREADS + threadIdx.x, mine = n;
    if (v < n) {
        mine = degree[v] = first[v + 1] - first[v];
        core[v] = -1;
    }
    mine = __reduce_min_sync(0xffffffffu, mine);
    if (threadIdx.x % 32 == 0)
        atomicMin(least, mine);
}

// One atomic addition for those lanes that are here.
__device__ int place(int *tail)
{
    unsigned here = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(here) - 1, base = 0;
    if (lane == leader)
        base = atomicAdd(tail, __popc(here));
    return __shfl_sync(here, base, leader) + __popc(here & ((1u << lane) - 1));
}

__global__ void collect(int n, const int *__restrict__ degree, int *__restrict__ core, int *__restrict__ order, int *tail, int k)
{
    int v = blockIdx.x * THREADS + threadIdx.x;
    if (v < n && core[v] < 0 && degree[v] <= k) {
        order[place(tail)] = v;
        core[v] = k;
    }
}

__global__ void take(int begin, int end, const int *__restrict__ first, const int *__restrict__ to, int *degree, int *__restrict__ core, int *order,
                     int *tail, int k)
{
    int i = begin + (blockIdx.x * THREADS + threadIdx.x) / 32;
    if (i >= end)
        return;
    int v = order[i], last = first[v + 1];
    for (int e = first[v] + threadIdx.x % 32; e < last; e += 32) {
        int u = to[e];
        if (atomicSub(&degree[u], 1) == k + 1) {
            order[atomicAdd(tail, 1)] = u;
            core[u] = k;
        }
    }
}

// Edges in both directions, of which some vertices have many.
static int connect(int n, int *first, int *to)
{
    int m = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int v = 0; v < n; v++)
            for (int e = 0; e < LEAST + (int)(mix(v + 5) % SPREAD); e++) {
                double place = number(32 * v + e);
                int u = (int)(n * (e % 4 ? place : place * place));
                if (u == v)
                    continue;
                if (pass) {
                    to[first[v]++] = u;
                    to[first[u]++] = v;
                } else {
                    first[v]++;
                    first[u]++;
                }
            }
        for (int v = 0; v < n && !pass; v++) {
            int degree = first[v];
            first[v] = m;
            m += degree;
        }
    }
    for (int v = n; v > 0; v--)
        first[v] = first[v - 1];
    first[0] = 0;
    return m;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift;
    int *first = (int *)calloc(n + 1, sizeof(int)), *to = NEW(int, 2 * n * (LEAST + SPREAD)), m = connect(n, first, to), *core = NEW(int, n);
    double sum = 0;
    long largest = 0;
    int *dfirst = on_device(first, n + 1), *dto = on_device(to, m), *ddegree = device<int>(n), *dcore = device<int>(n), *dorder = device<int>(n);
    int *dtail = device<int>(1), *dleast = device<int>(1), *got = pinned<int>();
    auto number_at = [&](int *from) {
        CHECK(cudaMemcpy(got, from, sizeof(int), cudaMemcpyDeviceToHost));
        return *got;
    };
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtail, 0, sizeof(int)));
        CHECK(cudaMemsetAsync(dleast, 0x7f, sizeof(int)));
        prepare<<<ceiling(n, THREADS), THREADS>>>(n, dfirst, ddegree, dcore, dleast);
        int k = number_at(dleast);
        for (int begin = 0; begin < n; k++) {
            collect<<<ceiling(n, THREADS), THREADS>>>(n, ddegree, dcore, dorder, dtail, k);
            for (int end = number_at(dtail); begin < end; end = number_at(dtail)) {
                take<<<ceiling(end - begin, THREADS / 32), THREADS>>>(begin, end, dfirst, dto, ddegree, dcore, dorder, dtail, k);
                begin = end;
            }
        }
        largest = k - 1;
    });
    to_host(core, dcore, n);
    for (int v = 0; v < n; v++)
        sum += core[v] * (v % 7 + 1);
    report("cores", best, sum + 1000 * largest);
    return 0;
}
