// Sums of rows in a nest of three loops, double, 8192 planes of 16 rows of 1024: a row to a team, or to a thread whose lanes share it.
#include "common.h"

#define ROWS 16
#define COLUMNS 1024

static void row_sums(int planes, const double *restrict a, double *restrict sum)
{
#ifdef WITH_SIMD
#pragma omp target teams distribute
#else
#pragma omp target teams distribute collapse(2)
#endif
    for (int p = 0; p < planes; p++)
#ifdef WITH_SIMD
#pragma omp parallel for
#endif
        for (int r = 0; r < ROWS; r++) {
            double s = 0;
#ifdef WITH_SIMD
#pragma omp simd reduction(+ : s)
#else
#pragma omp parallel for reduction(+ : s)
#endif
            for (int c = 0; c < COLUMNS; c++)
                s += a[(p * ROWS + r) * COLUMNS + c];
            sum[p * ROWS + r] = s;
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int planes = 8192 >> args.shift, rows = planes * ROWS, n = rows * COLUMNS;
    double *a = get((size_t)n * sizeof(double)), *sum = get((size_t)rows * sizeof(double));
#pragma omp target enter data map(alloc : a[0 : n], sum[0 : rows])
#pragma omp target teams distribute parallel for
    for (int k = 0; k < n; k++)
        a[k] = k % 11 - 3;
#pragma omp target teams distribute parallel for
    for (int k = 0; k < rows; k++)
        sum[k] = -1;
    struct watch w = watch(args.repeats);
    while (lap(&w))
        row_sums(planes, a, sum);
    row("row_sums", n, w, 8.0 * n + 8.0 * rows, 'B', checksum(rows, sum, 1));
    return 0;
}
