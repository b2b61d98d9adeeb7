// How many shortest ways of a graph of 2^17 vertices with 16 neighbours in the mean go through each (Brandes), from
// four sources, double: lists of the vertices of each level; eight lanes share a vertex, outward they add, back
// they gather.
#include "kernels.cuh"

constexpr int VERTICES = 1 << 17, DEGREE = 16, SOURCES = 4, LEVELS = 64, THREADS = 256, LANES = 8;

__global__ void begin(int n, int source, bool first, int *__restrict__ level, double *__restrict__ ways,
                      double *__restrict__ central, int *__restrict__ list, int *__restrict__ found)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    level[v] = v == source ? 0 : -1;
    ways[v] = v == source;
    if (first)
        central[v] = 0;
    if (v == source) {
        list[0] = v;
        *found = 1;
    }
}

__global__ void __launch_bounds__(THREADS)
outward(int from, int to, int depth, const int *__restrict__ start, const int *__restrict__ edge, int *level,
        double *ways, int *list, int *found)
{
    int i = from + (blockIdx.x * THREADS + threadIdx.x) / LANES;
    if (i >= to)
        return;
    int v = list[i], end = start[v + 1];
    double mine = ways[v];
    for (int k = start[v] + threadIdx.x % LANES; k < end; k += LANES) {
        int w = edge[k], old = level[w];
        if (old < 0) {
            old = atomicCAS(&level[w], -1, depth + 1);
            if (old < 0) {
                list[atomicAdd(found, 1)] = w;
                old = depth + 1;
            }
        }
        if (old == depth + 1)
            atomicAdd(&ways[w], mine);
    }
}

__global__ void __launch_bounds__(THREADS)
back(int from, int to, int depth, const int *__restrict__ start, const int *__restrict__ edge,
     const int *__restrict__ level, const double *__restrict__ ways, const int *__restrict__ list, double *rest,
     double *__restrict__ central)
{
    int i = from + (blockIdx.x * THREADS + threadIdx.x) / LANES, lane = threadIdx.x % LANES, v = 0;
    double sum = 0;
    if (i < to) {
        v = list[i];
        int end = start[v + 1];
        for (int k = start[v] + lane; k < end; k += LANES) {
            int w = edge[k];
            if (level[w] == depth + 1)
                sum += (1 + rest[w]) / ways[w];
        }
    }
    for (int d = LANES / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (i < to && lane == 0) {
        sum *= ways[v];
        rest[v] = sum;
        if (depth > 0)
            central[v] += sum;
    }
}

// End k % 2 of pair k / 2: most pairs are near, some anywhere.
static int end(int k, int n)
{
    int near = k / 2 % 8 != 0, first = mix(k & ~1) % n;
    return k % 2 == 0 ? first : near ? (first + 1 + (int)(mix(k) % 999)) % n : (int)(mix(k) % n);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, edges = n * DEGREE, *start = NEW(int, n + 2), *edge = NEW(int, edges);
    int deepest = 0, blocks = ceiling(n, THREADS);
    double sum = 0, *central = NEW(double, n);
    for (int v = 0; v < n + 2; v++)
        start[v] = 0;
    for (int k = 0; k < edges; k++)
        start[end(k, n) + 2]++;
    for (int v = 0; v < n; v++)
        start[v + 2] += start[v + 1];
    for (int k = 0; k < edges; k++)
        edge[start[end(k, n) + 1]++] = end(k ^ 1, n);
    int *dstart = on_device(start, n + 1), *dedge = on_device(edge, edges), *dlevel = device<int>(n);
    int *dlist = device<int>(n), *dfound = device<int>(1), *found = pinned<int>();
    double *dways = device<double>(n), *drest = device<double>(n), *dcentral = device<double>(n);
    double best = fastest(args.repeats, [&] {
        deepest = 0;
        for (int s = 0; s < SOURCES; s++) {
            int ends[LEVELS + 1] = {0, 1}, depth = 0;
            begin<<<blocks, THREADS>>>(n, n / SOURCES * s, s == 0, dlevel, dways, dcentral, dlist, dfound);
            do {
                int from = ends[depth], to = ends[depth + 1];
                outward<<<ceiling(to - from, THREADS / LANES), THREADS>>>(from, to, depth, dstart, dedge, dlevel,
                                                                          dways, dlist, dfound);
                CHECK(cudaMemcpy(found, dfound, sizeof *found, cudaMemcpyDeviceToHost));
                ends[++depth + 1] = *found;
            } while (ends[depth] < *found);
            deepest += depth;
            while (depth--) {
                int from = ends[depth], to = ends[depth + 1];
                back<<<ceiling(to - from, THREADS / LANES), THREADS>>>(from, to, depth, dstart, dedge, dlevel, dways,
                                                                       dlist, drest, dcentral);
            }
        }
    });
    to_host(central, dcentral, n);
    for (int v = 0; v < n; v++)
        sum += central[v] * (1 + v % 5);
    report("betweenness", best, sum + deepest);
    return 0;
}
