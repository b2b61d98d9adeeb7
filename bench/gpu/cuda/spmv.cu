// Sparse matrix times vector, CSR, double, 67 million entries at scattered columns: a warp, or a part of one, for each
// row.
#include "common.cuh"
#include "reduce.cuh"

template <int lanes>
__global__ void spmv(int n, const int *__restrict__ start, const int *__restrict__ column,
                     const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y)
{
    int lane = threadIdx.x % lanes;
    int step = gridDim.x * blockDim.x / lanes;
    for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / lanes; i < n; i += step) {
        double s = 0;
        for (int k = start[i] + lane; k < start[i + 1]; k += lanes)
            s += value[k] * x[column[k]];
        s = warp_reduce<lanes>(s, [](double p, double q) { return p + q; });
        if (lane == 0)
            y[i] = s;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (21 - args.shift), entries = row_start(n);
    int *start = device<int>(n + 1), *column = device<int>(entries);
    double *value = device<double>(entries), *x = device<double>(n), *y = device<double>(n);
    fill(n + 1, start, [] __device__(int i) { return row_start(i); });
    fill(n, x, [] __device__(int i) { return i % 17 - 8; });
    fill(entries, column, [n] __device__(int k) { return mix(k) & (n - 1); });
    fill(entries, value, [] __device__(int k) { return k % 5 - 1; });
    const int threads = 256;
    auto product = [&](auto kernel, int lanes, int grid) {
        if (grid == 0)
            grid = ceiling((long)n * lanes, threads);
        return fastest(args.repeats, [&] { kernel<<<grid, threads>>>(n, start, column, value, x, y); });
    };
    double usual = product(spmv<32>, 32, 0), best = usual;
    for (int grid : {0, full_grid(spmv<32>, threads)}) {
        best = fmin(best, product(spmv<32>, 32, grid));
        best = fmin(best, product(spmv<16>, 16, grid));
        best = fmin(best, product(spmv<8>, 8, grid));
        best = fmin(best, product(spmv<4>, 4, grid));
    }
    print_row("spmv", entries, usual, best, 12.0 * entries + 20.0 * n, 'B', checksum(n, y, 1));
    return 0;
}
