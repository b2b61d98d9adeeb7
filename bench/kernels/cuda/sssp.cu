// Shortest ways from a vertex to all of a graph of 2^18 vertices (Bellman and Ford), int: half a warp looks at the predecessors of a vertex, until
// nothing changes.
#include "kernels.cuh"

enum { VERTICES = 1 << 18, FAR = 1 << 29 };

__global__ void begin(int n, int *old)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n)
        old[v] = v == 0 ? 0 : FAR;
}

constexpr int LANES = 16;

__global__ void relax(int n, const int *__restrict__ start, const int2 *__restrict__ edge, const int *__restrict__ old, int *__restrict__ now, int *changed)
{
    int v = (blockIdx.x * blockDim.x + threadIdx.x) / LANES, lane = threadIdx.x % LANES, least = FAR;
    if (v < n) {
        int end = start[v + 1];
        for (int e = start[v] + lane; e < end; e += LANES) {
            int2 k = edge[e];
            least = min(least, old[k.x] + k.y);
        }
    }
    for (int d = LANES / 2; d > 0; d /= 2)
        least = min(least, __shfl_down_sync(0xffffffff, least, d, LANES));
    if (v < n && lane == 0) {
        int before = old[v];
        now[v] = min(least, before);
        if (least < before)
            *changed = 1;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = VERTICES >> args.shift, edges = 0, *start = NEW(int, n + 1), *distance = NEW(int, n), rounds = 0;
    double sum = 0;
    for (int v = 0; v <= n; v++) {
        start[v] = edges;
        if (v < n)
            edges += 1 + mix(v) % 31;
    }
    int2 *all = NEW(int2, edges);
    for (int e = 0; e < edges; e++) {
        all[e].x = mix(e + 11) % n;
        all[e].y = 1 + mix(e + 5000011) % 100;
    }
    int *dstart = on_device(start, n + 1), *old = device<int>(n), *now = device<int>(n), *dchanged = device<int>(1), *changed = pinned<int>();
    int2 *dall = on_device(all, edges);
    double best = fastest(args.repeats, [&] {
        begin<<<ceiling(n, 256), 256>>>(n, old);
        rounds = 0;
        do {
            CHECK(cudaMemsetAsync(dchanged, 0, sizeof(int)));
            relax<<<ceiling((long)n * LANES, 256), 256>>>(n, dstart, dall, old, now, dchanged);
            CHECK(cudaMemcpy(changed, dchanged, sizeof(int), cudaMemcpyDeviceToHost));
            int *swap = old;
            old = now;
            now = swap;
            rounds++;
        } while (*changed);
    });
    to_host(distance, old, n);
    for (int v = 0; v < n; v++)
        sum += distance[v] == FAR ? 1 : distance[v];
    report("sssp", best, sum + rounds);
    return 0;
}
