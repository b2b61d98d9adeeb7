// Sparse matrix times vector, CSR, double, 2^21 rows with 16 to 48 entries at scattered columns: 67 million entries.
#include "common.h"

#if SPELLING == 1
static void spmv(int n, int entries, const int *restrict start, const int *restrict column,
                 const double *restrict value, const double *restrict x, double *restrict y)
{
    // A row has 16 to 48 entries: with a warp's 32 lanes for each, most would have nothing to do.
#pragma acc parallel loop gang worker vector_length(16) \
    present(start[0:n + 1], column[0:entries], value[0:entries], x[0:n], y[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
#pragma acc loop vector reduction(+:s)
        for (int k = start[i]; k < start[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
}
#else
static void spmv(unsigned n, size_t entries, int *start, int *column, double *value, double *x, double *y)
{
#pragma acc parallel loop gang worker vector_length(16) \
    present(start[0:n + 1], column[0:entries], value[0:entries], x[0:n], y[0:n])
    for (unsigned i = 0; i < n; i++) {
        size_t from = start[i], to = start[i + 1];
        y[i] = 0;
        double s = 0;
#pragma acc loop vector reduction(+:s)
        for (size_t k = from; k < to; k++)
            s += x[column[k]] * value[k];
        y[i] += s;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (21 - args.shift), entries = row_start(n);
    int *start = get((size_t)(n + 1) * sizeof(int)), *column = get((size_t)entries * sizeof(int));
    double *value = get((size_t)entries * sizeof(double));
    double *x = get((size_t)n * sizeof(double)), *y = get((size_t)n * sizeof(double));
#pragma acc enter data create(start[0:n + 1], column[0:entries], value[0:entries], x[0:n], y[0:n])
#pragma acc parallel loop present(start[0:n + 1])
    for (int i = 0; i < n + 1; i++)
        start[i] = row_start(i);
#pragma acc parallel loop present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++) {
        x[i] = i % 17 - 8;
        y[i] = -1;
    }
#pragma acc parallel loop present(column[0:entries], value[0:entries])
    for (int k = 0; k < entries; k++) {
        column[k] = mix(k) & (n - 1);
        value[k] = k % 5 - 1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        spmv(n, entries, start, column, value, x, y);
    row("spmv", entries, w, 12.0 * entries + 20.0 * n, 'B', checksum(n, y, 1));
    return 0;
}
