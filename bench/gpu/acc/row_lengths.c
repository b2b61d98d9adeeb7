// Sums of rows of 4, 32, 100, 1000 and 100000 doubles, 2^27 elements in total: rows over gangs and workers, the elements
// of a row over vector lanes. For 4 also a row for each lane. A copy of 2^27 doubles says what the memory can do.
#include "common.h"

static void row_sums(int rows, int length, const double *restrict a, double *restrict sum)
{
#pragma acc parallel loop gang worker present(a[0:rows * length], sum[0:rows])
    for (int r = 0; r < rows; r++) {
        double s = 0;
#pragma acc loop vector reduction(+:s)
        for (int c = 0; c < length; c++)
            s += a[r * length + c];
        sum[r] = s;
    }
}

static void row_for_each_lane(int rows, int length, const double *restrict a, double *restrict sum)
{
#pragma acc parallel loop gang vector present(a[0:rows * length], sum[0:rows])
    for (int r = 0; r < rows; r++) {
        double s = 0;
#pragma acc loop seq
        for (int c = 0; c < length; c++)
            s += a[r * length + c];
        sum[r] = s;
    }
}

static void copy(int n, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop present(a[0:n], b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}

static void measure(const char *name, int repeats, int n, int length, const double *a, double *sum,
                    void (*work)(int, int, const double *restrict, double *restrict))
{
    int rows = n / length;
    char label[32];
#pragma acc parallel loop present(sum[0:rows])
    for (int r = 0; r < rows; r++)
        sum[r] = -1;
    struct watch w = watch(repeats);
    while (lap(&w))
        work(rows, length, a, sum);
    snprintf(label, sizeof label, name, length);
    row(label, (long)rows * length, w, 8.0 * rows * length + 8.0 * rows, 'B', checksum(rows, sum, 1));
}

int main(int argc, char **argv)
{
    static const int lengths[] = {4, 32, 100, 1000, 100000};
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    double *a = get((size_t)n * sizeof(double)), *b = get((size_t)n * sizeof(double));
#pragma acc enter data create(a[0:n], b[0:n])
#pragma acc parallel loop present(a[0:n])
    for (int k = 0; k < n; k++)
        a[k] = k % 11 - 3;
    struct watch w = watch(args.repeats);
    while (lap(&w))
        copy(n, a, b);
    row("copy_27", n, w, 16.0 * n, 'B', checksum(n, b, 1));
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        if (lengths[k] <= n)
            measure("rows_%d", args.repeats, n, lengths[k], a, b, row_sums);
    measure("rows_%d_lanes", args.repeats, n, 4, a, b, row_for_each_lane);
    return 0;
}
