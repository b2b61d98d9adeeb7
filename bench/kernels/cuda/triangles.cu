// Triangles of a graph of 2^15 vertices with 16 to 47 neighbours each, in sorted lists: a thread a vertex, which merges the lists of the
// ends of each of its edges; counts are summed up by warps.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

__global__ void count(int n, const int *__restrict__ first, const int *__restrict__ to, unsigned long long *total)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    long mine = 0;
    if (v < n) {
        int m = first[v + 1];
        for (int e = first[v]; e < m; e++) {
            int u = to[e], i = e + 1, j = first[u], k = first[u + 1];
            while (i < m && j < k) {
                int a = to[i], b = to[j];
                mine += a == b;
                i += a <= b;
                j += b <= a;
            }
        }
    }
    mine = warp_reduce(mine, [](long p, long q) { return p + q; });
    if (threadIdx.x % 32 == 0)
        atomicAdd(total, (unsigned long long)mine);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 15) >> args.shift, *first = NEW(int, n + 1);
    first[0] = 0;
    for (int v = 0; v < n; v++)
        first[v + 1] = first[v] + 16 + (int)(mix(v) % 32);
    int edges = first[n], *to = NEW(int, edges);
    for (int v = 0; v < n; v++)
        for (int e = first[v], at = v; e < first[v + 1]; e++) {
            at += 1 + (int)(mix(e) % 6);
            to[e] = at < n ? at : n - 1;
        }
    unsigned long long total = 0, *dtotal = device<unsigned long long>(1);
    int *dfirst = on_device(first, n + 1), *dto = on_device(to, edges);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dtotal, 0, sizeof total));
        count<<<ceiling(n, 128), 128>>>(n, dfirst, dto, dtotal);
        CHECK(cudaMemcpy(&total, dtotal, sizeof total, cudaMemcpyDeviceToHost));
    });
    report("triangles", best, (double)total);
    return 0;
}
