// Breadth-first search, 2^18 nodes with 8 edges each: for each level a sweep over all nodes that marks what is next, and one
// that takes over the marks, until there are none; the flag is in pinned memory.
#include "kernels.cuh"

constexpr int DEGREE = 8;

__global__ void begin(int n, int *__restrict__ level, int *__restrict__ mark)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        level[i] = i == 0 ? 0 : -1;
        mark[i] = 0;
    }
}

__global__ void sweep(int n, int now, const int *__restrict__ first, const int *__restrict__ edge,
                      const int *__restrict__ level, int *__restrict__ mark)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || level[i] != now)
        return;
    for (int e = first[i]; e < first[i + 1]; e++)
        if (level[edge[e]] < 0)
            mark[edge[e]] = 1;
}

__global__ void take_over(int n, int now, int *__restrict__ level, int *__restrict__ mark, int *__restrict__ reached)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || !mark[i])
        return;
    mark[i] = 0;
    level[i] = now + 1;
    *reached = 1;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, edges = n * DEGREE, grid = ceiling(n, 256);
    int *first = NEW(int, n + 1), *edge = NEW(int, edges), *level = NEW(int, n);
    double sum = 0;
    for (int i = 0; i <= n; i++)
        first[i] = i * DEGREE;
    for (int e = 0; e < edges; e++)
        edge[e] = (int)(mix(e) % n);
    int *dfirst = on_device(first, n + 1), *dedge = on_device(edge, edges), *dlevel = device<int>(n);
    int *dmark = device<int>(n), *dreached = device<int>(1), *reached = pinned<int>();
    double best = fastest(args.repeats, [&] {
        begin<<<grid, 256>>>(n, dlevel, dmark);
        *reached = 1;
        for (int now = 0; *reached; now++) {
            CHECK(cudaMemsetAsync(dreached, 0, sizeof(int)));
            sweep<<<grid, 256>>>(n, now, dfirst, dedge, dlevel, dmark);
            take_over<<<grid, 256>>>(n, now, dlevel, dmark, dreached);
            CHECK(cudaMemcpyAsync(reached, dreached, sizeof(int), cudaMemcpyDeviceToHost));
            CHECK(cudaDeviceSynchronize());
        }
    });
    to_host(level, dlevel, n);
    SUM(sum, level, n);
    report("bfs", best, sum);
    return 0;
}
