// Poisson's equation by Jacobi's method, double, 2048 × 2048: a step, the largest change, and the copy back.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

__global__ void sweep(int n, const double *__restrict__ u, double *__restrict__ v, unsigned long long *most)
{
    double mine = 0;
    int j = blockIdx.x * 32 + threadIdx.x + 1;
    for (int i = blockIdx.y * 8 + threadIdx.y + 1; i < n - 1 && j < n - 1; i += gridDim.y * 8) {
        double next = 0.25 * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
        v[i * n + j] = next;
        mine = fmax(mine, fabs(next - u[i * n + j]));
    }
    mine = block_reduce(mine, 0.0, [](double p, double q) { return fmax(p, q); });
    // The changes are not negative, so that their bits have the same order.
    if (threadIdx.x == 0 && threadIdx.y == 0)
        atomicMax(most, static_cast<unsigned long long>(__double_as_longlong(mine)));
}

__global__ void copy(int n, const double *__restrict__ v, double *__restrict__ u)
{
    int j = blockIdx.x * 32 + threadIdx.x + 1, i = blockIdx.y * 8 + threadIdx.y + 1;
    if (i < n - 1 && j < n - 1)
        u[i * n + j] = v[i * n + j];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift, all = n * n;
    double *u = NEW(double, all), *v = NEW(double, all), sum = 0, *most = pinned<double>();
    FILL(u, all, 1);
    FILL(v, all, 0);
    double *du = on_device(u, all), *dv = on_device(v, all);
    unsigned long long *dmost = device<unsigned long long>(1);
    dim3 threads(32, 8), grid(ceiling(n - 2, 32), ceiling(n - 2, 8)), few(ceiling(n - 2, 32), ceiling(n - 2, 64));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dmost, 0, sizeof *dmost));
        sweep<<<few, threads>>>(n, du, dv, dmost);
        copy<<<grid, threads>>>(n, dv, du);
        CHECK(cudaMemcpyAsync(most, dmost, sizeof *most, cudaMemcpyDeviceToHost));
    });
    to_host(u, du, all);
    SUM(sum, u, all);
    report("jacobi", best, sum + *most);
    return 0;
}
