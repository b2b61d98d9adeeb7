// Sums of rows in a nest of gang, worker and vector loops, double, 8192 planes of 16 rows of 1024: 2^27.
#include "common.h"

#define ROWS 16
#define COLUMNS 1024

static void row_sums(int planes, const double *restrict a, double *restrict sum)
{
#pragma acc parallel loop gang present(a[0:planes * ROWS * COLUMNS], sum[0:planes * ROWS])
    for (int p = 0; p < planes; p++) {
#pragma acc loop worker
        for (int r = 0; r < ROWS; r++) {
            double s = 0;
#pragma acc loop vector reduction(+:s)
            for (int c = 0; c < COLUMNS; c++)
                s += a[(p * ROWS + r) * COLUMNS + c];
            sum[p * ROWS + r] = s;
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int planes = 8192 >> args.shift, rows = planes * ROWS, n = rows * COLUMNS;
    double *a = get((size_t)n * sizeof(double)), *sum = get((size_t)rows * sizeof(double));
#pragma acc enter data create(a[0:n], sum[0:rows])
#pragma acc parallel loop present(a[0:n])
    for (int k = 0; k < n; k++)
        a[k] = k % 11 - 3;
#pragma acc parallel loop present(sum[0:rows])
    for (int k = 0; k < rows; k++)
        sum[k] = -1;
    struct watch w = watch(args.repeats);
    while (lap(&w))
        row_sums(planes, a, sum);
    row("row_sums", n, w, 8.0 * n + 8.0 * rows, 'B', checksum(rows, sum, 1));
    return 0;
}
