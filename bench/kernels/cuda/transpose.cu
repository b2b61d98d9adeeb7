// Transposition, double, 4096 × 4096, by tiles in shared memory.
#include "kernels.cuh"

__global__ void transpose(int n, const double *__restrict__ a, double *__restrict__ b)
{
    __shared__ double tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = a[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        b[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift;
    double *a = NEW(double, n * n), *b = NEW(double, n * n), sum = 0;
    FILL(a, n * n, 1);
    double *da = on_device(a, n * n), *db = device<double>(n * n);
    dim3 threads(32, 8), grid(n / 32, n / 32);
    double best = fastest(args.repeats, [&] { transpose<<<grid, threads>>>(n, da, db); });
    to_host(b, db, n * n);
    for (int i = 0; i < n * n; i++)
        sum += b[i] * (i % 5);
    report("transpose", best, sum);
    return 0;
}
