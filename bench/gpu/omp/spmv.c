// Sparse matrix times vector, CSR, double, 2^21 rows with 16 to 48 entries at scattered columns: a row to a thread, or to its lanes.
#include "common.h"

static void spmv(int n, const int *restrict start, const int *restrict column, const double *restrict value,
                 const double *restrict x, double *restrict y)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
#ifdef WITH_SIMD
#pragma omp simd reduction(+ : s)
#endif
        for (int k = start[i]; k < start[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (21 - args.shift), entries = row_start(n);
    int *start = get((size_t)(n + 1) * sizeof(int)), *column = get((size_t)entries * sizeof(int));
    double *value = get((size_t)entries * sizeof(double));
    double *x = get((size_t)n * sizeof(double)), *y = get((size_t)n * sizeof(double));
#pragma omp target enter data map(alloc : start[0 : n + 1], column[0 : entries], value[0 : entries], x[0 : n], y[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n + 1; i++)
        start[i] = row_start(i);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        x[i] = i % 17 - 8;
        y[i] = -1;
    }
#pragma omp target teams distribute parallel for
    for (int k = 0; k < entries; k++) {
        column[k] = mix(k) & (n - 1);
        value[k] = k % 5 - 1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        spmv(n, start, column, value, x, y);
    row("spmv", entries, w, 12.0 * entries + 20.0 * n, 'B', checksum(n, y, 1));
    return 0;
}
