// Sparse matrix times vector, CSR, double, 2^18 rows with 8 to 23 entries each.
#include "bench.h"

static void run(int n, int entries, const int *restrict start, const int *restrict column,
                const double *restrict value, const double *restrict x, double *restrict y)
{
    (void)entries;
#ifdef _OPENMP
#pragma omp parallel for
#else
#pragma acc parallel loop gang present(start[0:n + 1], column[0:entries], value[0:entries], x[0:n], y[0:n])
#endif
    for (int i = 0; i < n; i++) {
        double s = 0;
#ifdef _OPENMP
        OMP_SIMD(reduction(+:s))
#else
#pragma acc loop vector reduction(+:s)
#endif
        for (int k = start[i]; k < start[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
}

int main(void)
{
    int n = 1 << 18, right = 1;
    int *start = get((size_t)(n + 1) * sizeof *start);
    start[0] = 0;
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + 8 + i % 16;
    int entries = start[n];
    int *column = get((size_t)entries * sizeof *column);
    double *value = get((size_t)entries * sizeof *value);
    double *x = get((size_t)n * sizeof *x), *y = get((size_t)n * sizeof *y), best = 1e9;
    for (int i = 0; i < n; i++) {
        x[i] = i % 17 - 8;
        for (int k = start[i]; k < start[i + 1]; k++) {
            column[k] = (int)((i + (long)(k - start[i]) * (k - start[i]) * 97) % n);
            value[k] = k % 5;
        }
    }
#pragma acc data copyin(start[0:n + 1], column[0:entries], value[0:entries], x[0:n]) copyout(y[0:n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        run(n, entries, start, column, value, x, y);
        best = smaller(best, now() - begin);
    }
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            s += value[k] * x[column[k]];
        right &= s == y[i];
    }
    return report("spmv", best, 12.0 * entries + 20.0 * n, right);
}
