// A sparse triangular system of 2^17 unknowns in 128 levels, double: a launch a level and a thread a row.
#include "kernels.cuh"

constexpr int LEVELS = 128, WIDTH = 1024;

__global__ void solve(int first, int last, const int *__restrict__ order, const int *__restrict__ start,
                      const int *__restrict__ column, const double *__restrict__ value, const double *__restrict__ diagonal,
                      const double *__restrict__ b, double *x)
{
    int k = first + blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= last)
        return;
    int row = order[k], end = start[row + 1];
    double rest = b[row];
    for (int e = start[row]; e < end; e++)
        rest -= value[e] * x[column[e]];
    x[row] = rest / diagonal[row];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int width = WIDTH >> args.shift, n = LEVELS * width, first[LEVELS + 1], *order = NEW(int, n), *start = NEW(int, n + 1), nnz = 0;
    for (int l = 0; l <= LEVELS; l++)
        first[l] = l * width;
    // Row r is the unknown number k * 5 % n of the order (n is a power of two).
    for (int k = 0; k < n; k++)
        order[k] = (int)(k * 5L % n);
    for (int r = 0; r <= n; r++) {
        start[r] = nnz;
        nnz += mix(r) % 8 + 1;
    }
    nnz = start[n];
    int *column = NEW(int, nnz);
    double *value = NEW(double, nnz), *diagonal = NEW(double, n), *b = NEW(double, n), *x = NEW(double, n), sum = 0;
    FILL(value, nnz, 0.1);
    FILL(b, n, 1);
    for (int k = 0; k < n; k++) {
        int row = order[k], level = k / width;
        diagonal[row] = 1 + number(k);
        for (int e = start[row]; e < start[row + 1]; e++)
            if (level == 0) {
                // no level before it: an unknown of no weight
                column[e] = order[n - 1];
                value[e] = 0;
            } else if (e == start[row])
                column[e] = order[(level - 1) * width + mix(e) % width];
            else
                column[e] = order[mix(e) % (level * width)];
        x[row] = 0;
    }
    int *dorder = on_device(order, n), *dstart = on_device(start, n + 1), *dcolumn = on_device(column, nnz);
    double *dvalue = on_device(value, nnz), *ddiagonal = on_device(diagonal, n), *db = on_device(b, n), *dx = on_device(x, n);
    double best = fastest(args.repeats, [&] {
        for (int l = 0; l < LEVELS; l++)
            solve<<<ceiling(first[l + 1] - first[l], 128), 128>>>(first[l], first[l + 1], dorder, dstart, dcolumn, dvalue, ddiagonal, db, dx);
    });
    to_host(x, dx, n);
    for (int k = 0; k < n; k++)
        sum += fabs(x[k]);
    report("levels", best, sum);
    return 0;
}
