// Products of many small matrices, double, 20000 of 16 × 16: a block of 16 × 16 threads for each.
#include "kernels.cuh"

constexpr int M = 16;

__global__ void products(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c)
{
    size_t first = (size_t)blockIdx.x * M * M;
    int i = threadIdx.y, j = threadIdx.x;
    double s = 0;
#pragma unroll
    for (int k = 0; k < M; k++)
        s += a[first + i * M + k] * b[first + k * M + j];
    c[first + i * M + j] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = 20000 >> args.shift, all = batch * M * M;
    double *a = NEW(double, all), *b = NEW(double, all), *c = NEW(double, all), sum = 0;
    FILL(a, all, 1);
    FILL(b, all, 1);
    double *da = on_device(a, all), *db = on_device(b, all), *dc = device<double>(all);
    double best = fastest(args.repeats, [&] { products<<<batch, dim3(M, M)>>>(da, db, dc); });
    to_host(c, dc, all);
    SUM(sum, c, all);
    report("batched", best, sum);
    return 0;
}
