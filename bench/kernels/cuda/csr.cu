// Sparse matrix and vector, double, in compressed rows: 2^18 rows of 8 to 64 entries, a warp a row.
#include "kernels.cuh"
#include "../../gpu/cuda/reduce.cuh"

__global__ void multiply(int n, const int *__restrict__ start, const int *__restrict__ column,
                         const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n)
        return;
    double s = 0;
    for (int k = start[i] + lane, end = start[i + 1]; k < end; k += 32)
        s += value[k] * x[column[k]];
    s = warp_reduce(s, [](double p, double q) { return p + q; });
    if (lane == 0)
        y[i] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, *start = NEW(int, n + 1);
    start[0] = 0;
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + 8 + (int)(mix(i) % 57);
    int entries = start[n], *column = NEW(int, entries);
    double *value = NEW(double, entries), *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    FILL(value, entries, 1);
    FILL(x, n, 1);
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            column[k] = (int)((i + mix(k) % 4096) % n);
    int *dstart = on_device(start, n + 1), *dcolumn = on_device(column, entries);
    double *dvalue = on_device(value, entries), *dx = on_device(x, n), *dy = device<double>(n);
    int grid = ceiling(n, 256 / 32);
    double best = fastest(args.repeats, [&] { multiply<<<grid, 256>>>(n, dstart, dcolumn, dvalue, dx, dy); });
    to_host(y, dy, n);
    for (int i = 0; i < n; i++)
        sum += y[i] * (1 + i % 7);
    report("csr", best, sum);
    return 0;
}
