// A step of PageRank on a graph of 2^18 vertices, double, a thread for each vertex; the change is summed up by blocks.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

__global__ void step(int n, const int *__restrict__ first, const int *__restrict__ from, const int *__restrict__ degree,
                     const double *__restrict__ rank, double *__restrict__ next, double *change)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    double mine = 0;
    if (v < n) {
        double sum = 0;
        for (int e = first[v], end = first[v + 1]; e < end; e++)
            sum += rank[from[e]] / degree[from[e]];
        sum = 0.15 / n + 0.85 * sum;
        next[v] = sum;
        mine = fabs(sum - rank[v]);
    }
    auto add = [](double p, double q) { return p + q; };
    __shared__ double parts[32];
    mine = warp_reduce(mine, add);
    if (threadIdx.x % 32 == 0)
        parts[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
        mine = warp_reduce(mine, add);
        if (threadIdx.x == 0)
            atomicAdd(change, mine);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, *first = NEW(int, n + 1), *degree = NEW(int, n);
    first[0] = 0;
    for (int v = 0; v < n; v++)
        first[v + 1] = first[v] + 4 + (int)(mix(v) % 64), degree[v] = 1 + (int)(mix(v + n) % 71);
    int edges = first[n], *from = NEW(int, edges);
    double *rank = NEW(double, n), *next = NEW(double, n), change = 0, sum = 0;
    for (int e = 0; e < edges; e++)
        from[e] = (int)(mix(e) % n);
    FILL(rank, n, 2.0 / n);
    int *dfirst = on_device(first, n + 1), *ddegree = on_device(degree, n), *dfrom = on_device(from, edges);
    double *drank = on_device(rank, n), *dnext = device<double>(n), *dchange = device<double>(1);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dchange, 0, sizeof(double)));
        step<<<ceiling(n, 256), 256>>>(n, dfirst, dfrom, ddegree, drank, dnext, dchange);
        CHECK(cudaMemcpy(&change, dchange, sizeof change, cudaMemcpyDeviceToHost));
    });
    to_host(next, dnext, n);
    for (int v = 0; v < n; v++)
        sum += next[v] * (1 + v % 7);
    report("pagerank", best, sum + change);
    return 0;
}
