// Sparse matrix and vector, double: 2^20 rows of 1 to 63 entries in slices of 32 rows (SELL), sorted by length in windows of 256: a thread a row.
#include "kernels.cuh"

enum { ROWS = 1 << 20, SLICE = 32, WINDOW = 256 };

__global__ void product(int n, const int *__restrict__ start, const int *__restrict__ column, const double *__restrict__ value,
                        const int *__restrict__ order, const double *__restrict__ x, double *__restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    int s = row / SLICE, end = start[s + 1];
    double sum = 0;
#pragma unroll 4
    for (int at = start[s] + row % SLICE; at < end; at += SLICE)
        sum += value[at] * x[column[at]];
    y[order[row]] = sum;
}

static int length(int row) { return 1 + mix(row) % 63; }

// Rows of a window by falling length; starts of slices. Returns the number of entries with those that fill up.
static int sort_rows(int n, int *start, int *order)
{
    for (int w = 0; w < n; w += WINDOW)
        for (int at = w, want = 63; want > 0; want--)
            for (int row = w; row < w + WINDOW; row++)
                if (length(row) == want)
                    order[at++] = row;
    int all = 0;
    for (int s = 0; s < n / SLICE; s++) {
        start[s] = all;
        all += SLICE * length(order[s * SLICE]);
    }
    start[n / SLICE] = all;
    return all;
}

static void entries(int n, const int *start, const int *order, int *column, double *value)
{
    for (int s = 0; s < n / SLICE; s++)
        for (int at = start[s]; at < start[s + 1]; at++) {
            int row = order[s * SLICE + at % SLICE], k = (at - start[s]) / SLICE;
            column[at] = k < length(row) ? (row + mix(at) % 4096) % n : 0;
            value[at] = k < length(row) ? number(at + 9) : 0;
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, *start = NEW(int, n / SLICE + 1), *order = NEW(int, n), all = sort_rows(n, start, order), *column = NEW(int, all);
    double *value = NEW(double, all), *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    entries(n, start, order, column, value);
    FILL(x, n, 1);
    int *dstart = on_device(start, n / SLICE + 1), *dcolumn = on_device(column, all), *dorder = on_device(order, n);
    double *dvalue = on_device(value, all), *dx = on_device(x, n), *dy = device<double>(n);
    double best = fastest(args.repeats, [&] { product<<<ceiling(n, 128), 128>>>(n, dstart, dcolumn, dvalue, dorder, dx, dy); });
    to_host(y, dy, n);
    for (int k = 0; k < n; k++)
        sum += y[k] * (1 + k % 5);
    report("sell", best, sum);
    return 0;
}
