// Vector addition, scalar product, matrix times vector and Newton's square roots over numbers of blocks, threads in each, and elements.
#include "../sweep.h"
#include "common.cuh"
#include "reduce.cuh"

__global__ void vector_add(int n, const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ c)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        c[i] = a[i] + b[i];
}

__global__ void dot(int n, const double *__restrict__ a, const double *__restrict__ b, double *sum)
{
    double mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += a[i] * b[i];
    mine = block_reduce(mine, 0.0, [](double p, double q) { return p + q; });
    if (threadIdx.x == 0)
        atomicAdd(sum, mine);
}

__global__ void matvec(int side, const double *__restrict__ a, const double *__restrict__ x, double *__restrict__ y)
{
    for (int i = blockIdx.x; i < side; i += gridDim.x) {
        double mine = 0;
        for (int j = threadIdx.x; j < side; j += blockDim.x)
            mine += a[i * side + j] * x[j];
        mine = block_reduce(mine, 0.0, [](double p, double q) { return p + q; });
        if (threadIdx.x == 0)
            y[i] = mine;
        __syncthreads();
    }
}

__global__ void newton(int n, const double *__restrict__ a, double *__restrict__ c)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double x = a[i] + 1;
        for (int k = 0; k < STEPS; k++)
            x = 0.5 * (x + (a[i] + 1) / x);
        c[i] = x;
    }
}

static double at(const double *p, int i)
{
    double value;
    CHECK(cudaMemcpy(&value, p + i, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

int main(int argc, char **argv)
{
    int repeats = argc > 1 ? atoi(argv[1]) : 8, n = LARGEST;
    double *a = device<double>(n), *b = device<double>(n), *c = device<double>(n), *sum = device<double>(1);
    double *result = pinned<double>();
    fill(n, a, [] __device__(int i) { return INPUT_A(i); });
    fill(n, b, [] __device__(int i) { return INPUT_B(i); });
    for (int k = 0; k < POINTS; k++) {
        struct point p = point(k);
        int size = p.side * p.side;
        double t = fastest(repeats, [&] { vector_add<<<p.teams, p.threads>>>(size, a, b, c); });
        print_point("vector_add", p, t, static_cast<long long>(at(c, size / 2)));
        t = fastest(repeats, [&] {
            CHECK(cudaMemsetAsync(sum, 0, sizeof *sum));
            dot<<<p.teams, p.threads>>>(size, a, b, sum);
            CHECK(cudaMemcpyAsync(result, sum, sizeof *sum, cudaMemcpyDeviceToHost));
        });
        print_point("dot", p, t, static_cast<long long>(*result));
        t = fastest(repeats, [&] { matvec<<<p.teams, p.threads>>>(p.side, a, b, c); });
        print_point("matvec", p, t, static_cast<long long>(at(c, p.side / 2)));
        t = fastest(repeats, [&] { newton<<<p.teams, p.threads>>>(size, a, c); });
        print_point("newton", p, t, static_cast<long long>(at(c, size / 2) * 1048576));
    }
    return 0;
}
