// All shortest paths by Floyd and Warshall, int, 1024 nodes: 1024 launches from a loop of the host.
#include "kernels.cuh"

__global__ void relax(int n, int k, int *d)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    int way = d[i * n + k] + d[k * n + j];
    if (way < d[i * n + j])
        d[i * n + j] = way;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> args.shift, *d = NEW(int, n * n);
    double sum = 0;
    FILL(d, n * n, 10000);
    int *dd = on_device(d, n * n);
    dim3 threads(32, 8), grid(n / 32, n / 8);
    double best = fastest(args.repeats / 10 + 1, [&] {
        for (int k = 0; k < n; k++) {
            relax<<<grid, threads>>>(n, k, dd);
            CHECK(cudaDeviceSynchronize());
        }
    });
    to_host(d, dd, n * n);
    SUM(sum, d, n * n);
    report("floyd_warshall", best, sum);
    return 0;
}
