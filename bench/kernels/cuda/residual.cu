// Residual of a 7-point Laplacian, double, 192³, with the sum of its squares and its largest entry: a thread a column of
// planes, then reductions of the block.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"
#include <cstring>

#define AT(p, i, j, k) (p)[((i) * n + (j)) * n + (k)]

struct norms {
    double squares;
    unsigned long long most;
};

__global__ void residual(int n, double h2, const double *__restrict__ u, const double *__restrict__ f,
                         double *__restrict__ r, norms *found)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
    double squares = 0, most = 0;
    for (int i = blockIdx.z + 1; i < n - 1 && j < n - 1 && k < n - 1; i += gridDim.z) {
        double here = AT(f, i, j, k) - h2 * (6 * AT(u, i, j, k) - AT(u, i - 1, j, k) - AT(u, i + 1, j, k) -
                                             AT(u, i, j - 1, k) - AT(u, i, j + 1, k) - AT(u, i, j, k - 1) -
                                             AT(u, i, j, k + 1));
        AT(r, i, j, k) = here;
        squares += here * here;
        most = fmax(most, fabs(here));
    }
    squares = block_reduce(squares, 0.0, [](double p, double q) { return p + q; });
    most = block_reduce(most, 0.0, [](double p, double q) { return fmax(p, q); });
    // The magnitudes are not negative, so that their bits have the same order.
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        atomicAdd(&found->squares, squares);
        atomicMax(&found->most, static_cast<unsigned long long>(__double_as_longlong(most)));
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 192 >> args.shift, all = n * n * n;
    double *u = NEW(double, all), *f = NEW(double, all), *r = NEW(double, all), sum = 0, most;
    FILL(u, all, 1);
    FILL(f, all, 10);
    FILL(r, all, 0);
    double *du = on_device(u, all), *df = on_device(f, all), *dr = on_device(r, all);
    norms *dfound = device<norms>(1), *found = pinned<norms>();
    dim3 threads(32, 8), grid(ceiling(n - 2, 32), ceiling(n - 2, 8), ceiling(n - 2, 8));
    double best = fastest(args.repeats, [&] {
        CHECK(cudaMemsetAsync(dfound, 0, sizeof *dfound));
        residual<<<grid, threads>>>(n, 0.7, du, df, dr, dfound);
        CHECK(cudaMemcpyAsync(found, dfound, sizeof *found, cudaMemcpyDeviceToHost));
    });
    to_host(r, dr, all);
    SUM(sum, r, all);
    memcpy(&most, &found->most, sizeof most);
    report("residual", best, sum / all + sqrt(found->squares / all) + most);
    return 0;
}
