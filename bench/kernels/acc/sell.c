// Sparse matrix and vector, double: 2^20 rows of 1 to 63 entries in slices of 32 rows (SELL), sorted by length in windows of 256, a slice as long as its
// longest row.
#include "../kernels.h"

enum { ROWS = 1 << 20, SLICE = 32, WINDOW = 256 };

#if SPELLING == 1
static void product(int n, int all, const int *restrict start, const int *restrict column, const double *restrict value, const int *restrict order,
                    const double *restrict x, double *restrict y)
{
    int slices = n / SLICE;
#pragma acc parallel loop gang vector_length(32) present(start[0:slices + 1], column[0:all], value[0:all], order[0:n], x[0:n], y[0:n])
#pragma omp parallel for
    for (int s = 0; s < slices; s++) {
        int width = (start[s + 1] - start[s]) / SLICE;
#pragma acc loop vector
        for (int r = 0; r < SLICE; r++) {
            double sum = 0;
            for (int k = 0; k < width; k++) {
                int at = start[s] + k * SLICE + r;
                sum += value[at] * x[column[at]];
            }
            y[order[s * SLICE + r]] = sum;
        }
    }
}
#else
struct sell { size_t rows, entries; int *start, *column, *order; double *value; };

static void product(const struct sell *m, double *x, double *y)
{
    const size_t n = m->rows, all = m->entries;
    int *start = m->start, *column = m->column, *order = m->order;
    double *value = m->value;
#pragma acc kernels loop independent present(start[0:n / SLICE + 1], column[0:all], value[0:all], order[0:n], x[0:n], y[0:n])
#pragma omp parallel for
    for (size_t row = 0; row < n; ++row) {
        double sum = 0;
        for (size_t at = start[row / SLICE] + row % SLICE; at < start[row / SLICE + 1]; at += SLICE)
            sum += value[at] * x[column[at]];
        y[order[row]] = sum;
    }
}
#endif

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
#pragma acc enter data copyin(start[0:n / SLICE + 1], column[0:all], value[0:all], order[0:n], x[0:n]) create(y[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        product(n, all, start, column, value, order, x, y);
#else
        struct sell m = {n, all, start, column, order, value};
        product(&m, x, y);
#endif
    }
#pragma acc update self(y[0:n])
    for (int k = 0; k < n; k++)
        sum += y[k] * (1 + k % 5);
    report("sell", t.best, sum);
    return 0;
}
