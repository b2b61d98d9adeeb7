// y = Aᵀ (A x), double, 4096 × 4096: a block a row, then a thread a column of a part of the rows.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

constexpr int PARTS = 32;

__global__ void rows(int n, const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ t)
{
    const double *row = a + (size_t)blockIdx.x * n;
    double s = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        s += row[j] * x[j];
    s = block_reduce(s, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0)
        t[blockIdx.x] = s;
}

__global__ void columns(int n, const double *__restrict__ a, const double *__restrict__ t, double *__restrict__ y)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, many = (n + PARTS - 1) / PARTS;
    if (j >= n)
        return;
    int begin = blockIdx.y * many, end = min(begin + many, n);
    double s = 0;
#pragma unroll 8
    for (int i = begin; i < end; i++)
        s += a[(size_t)i * n + j] * t[i];
    atomicAdd(&y[j], s);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 4096 >> args.shift;
    double *a = NEW(double, n *n), *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    FILL(a, n * n, 1);
    FILL(x, n, 1);
    double *da = on_device(a, n * n), *dx = on_device(x, n), *dt = device<double>(n), *dy = device<double>(n);
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dy, 0, n * sizeof(double)));
        rows<<<n, 256>>>(n, da, dx, dt);
        columns<<<dim3(ceiling(n, 128), PARTS), 128>>>(n, da, dt, dy);
    });
    to_host(y, dy, n);
    SUM(sum, y, n);
    report("atax", best, sum);
    return 0;
}
