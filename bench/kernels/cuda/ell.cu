// Sparse matrix and vector, double: 2^18 rows of up to 32 entries in ELLPACK's order, a thread a row.
#include "kernels.cuh"

constexpr int WIDTH = 32;

__global__ void multiply(int n, const double *__restrict__ value, const int *__restrict__ column,
                         const double *__restrict__ x, double *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = 0;
#pragma unroll 8
    for (int k = 0; k < WIDTH; k++) {
        int c = column[k * n + i];
        if (c >= 0)
            s += value[k * n + i] * x[c];
    }
    y[i] = s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 18) >> args.shift, all = n * WIDTH, *column = NEW(int, all);
    double *value = NEW(double, all), *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    FILL(value, all, 1);
    FILL(x, n, 1);
    for (int k = 0; k < WIDTH; k++)
        for (int i = 0; i < n; i++)
            column[k * n + i] = k < 16 + i % 17 ? (int)((i + mix(k * 4096 + i) % 4096) % n) : -1;
    double *dvalue = on_device(value, all), *dx = on_device(x, n), *dy = device<double>(n);
    int *dcolumn = on_device(column, all);
    double best = fastest(args.repeats, [&] { multiply<<<ceiling(n, 128), 128>>>(n, dvalue, dcolumn, dx, dy); });
    to_host(y, dy, n);
    SUM(sum, y, n);
    report("ell", best, sum);
    return 0;
}
