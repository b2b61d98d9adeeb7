// Matrix product without tiles, double, 2048 × 2048: one thread for each element.
#include "common.cuh"

__global__ void matmul(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || j >= n)
        return;
    double s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift;
    size_t size = (size_t)n * n;
    double *a = device<double>(size), *b = device<double>(size), *c = device<double>(size);
    fill(size, a, [] __device__(int k) { return k % 5 - 1; });
    fill(size, b, [] __device__(int k) { return k % 7 - 2; });
    auto product = [&](dim3 threads) {
        dim3 grid(ceiling(n, threads.x), ceiling(n, threads.y));
        return fastest(args.repeats, [&] { matmul<<<grid, threads>>>(n, a, b, c); });
    };
    double usual = product(dim3(32, 8)), best = usual;
    for (dim3 threads : {dim3(16, 16), dim3(32, 16), dim3(32, 32), dim3(64, 4), dim3(128, 1), dim3(128, 8)})
        best = fmin(best, product(threads));
    print_row("matmul", n, usual, best, 2.0 * n * n * n, 'F', checksum(size, c, 1));
    return 0;
}
