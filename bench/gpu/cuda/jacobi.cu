// One sweep of the 5-point stencil with the largest change, double, 4096 × 4096. The maximum: over the block by
// shuffles, then one atomic for each block on the bits, whose order is that of the (not negative) numbers.
#include "common.cuh"
#include "reduce.cuh"

__global__ void jacobi(int n, const double *__restrict__ u, double *__restrict__ v, unsigned long long *change)
{
    double mine = 0;
    int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (j < n - 1)
        for (int i = blockIdx.y * blockDim.y + threadIdx.y + 1; i < n - 1; i += gridDim.y * blockDim.y) {
            int k = i * n + j;
            double w = 0.25 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1]);
            v[k] = w;
            mine = fmax(mine, fabs(w - u[k]));
        }
    mine = block_reduce(mine, 0.0, [](double p, double q) { return fmax(p, q); });
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicMax(change, (unsigned long long)__double_as_longlong(mine));
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift;
    double *u = device<double>((size_t)n * n), *v = device<double>((size_t)n * n);
    double *result = pinned<double>();
    unsigned long long *change = device<unsigned long long>(1);
    fill((long)n * n, u, [] __device__(int k) { return mix(k) % 1024; });
    fill((long)n * n, v, [] __device__(int) { return 0; });
    auto sweep = [&](dim3 threads, int rows) {
        dim3 grid(ceiling(n - 2, threads.x), ceiling(n - 2, (long)threads.y * rows));
        return fastest(args.repeats, [&] {
            CHECK(cudaMemsetAsync(change, 0, sizeof *change));
            jacobi<<<grid, threads>>>(n, u, v, change);
            CHECK(cudaMemcpyAsync(result, change, sizeof *result, cudaMemcpyDeviceToHost));
        });
    };
    double usual = sweep(dim3(32, 8), 4), best = usual;
    for (int rows = 1; rows <= 16; rows *= 2)
        for (dim3 threads : {dim3(32, 8), dim3(64, 4), dim3(128, 2), dim3(256, 1)})
            best = fmin(best, sweep(threads, rows));
    print_row("jacobi", n, usual, best, 16.0 * n * n, 'B',
              checksum((long)n * n, v, 4) + static_cast<long long>(4 * *result));
    return 0;
}
