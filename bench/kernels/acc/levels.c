// A sparse triangular system of 2^17 unknowns in 128 levels, double: the rows of a level need those before it only, a launch each.
#include "../kernels.h"

enum { LEVELS = 128, WIDTH = 1024 };

#if SPELLING == 1
static void solve(int n, int nnz, const int *first, const int *restrict order, const int *restrict start, const int *restrict column,
                  const double *restrict value, const double *restrict diagonal, const double *restrict b, double *restrict x)
{
    for (int l = 0; l < LEVELS; l++) {
#pragma acc parallel loop async(1) present(order[0:n], start[0:n + 1], column[0:nnz], value[0:nnz], diagonal[0:n], b[0:n], x[0:n])
#pragma omp parallel for
        for (int k = first[l]; k < first[l + 1]; k++) {
            int row = order[k];
            double rest = b[row];
            for (int e = start[row]; e < start[row + 1]; e++)
                rest -= value[e] * x[column[e]];
            x[row] = rest / diagonal[row];
        }
    }
#pragma acc wait(1)
}
#else
struct entry { int column; double value; };
struct triangle { size_t rows, entries; int *start; double *diagonal; struct entry *entry; };

static double dot(const struct entry *e, const struct entry *end, const double *x)
{
    double sum = 0;
    while (e < end) {
        sum += e->value * x[e->column];
        ++e;
    }
    return sum;
}

static void solve(const struct triangle *a, const int *first, int *order, double *b, double *x)
{
    size_t n = a->rows;
    int *start = a->start;
    double *diagonal = a->diagonal;
    struct entry *entry = a->entry;
#pragma acc data present(order[0:n], start[0:n + 1], entry[0:a->entries], diagonal[0:n], b[0:n], x[0:n])
    for (const int *level = first; level != first + LEVELS; ++level) {
        int *own = order + level[0];
        unsigned many = level[1] - level[0];
#pragma acc kernels loop independent
#pragma omp parallel for
        for (unsigned k = 0; k < many; ++k) {
            int row = own[k];
            x[row] = (b[row] - dot(entry + start[row], entry + start[row + 1], x)) / diagonal[row];
        }
    }
}
#endif

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
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(order[0:n], start[0:n + 1], column[0:nnz], value[0:nnz], diagonal[0:n], b[0:n], x[0:n])
    while (lap(&t))
        solve(n, nnz, first, order, start, column, value, diagonal, b, x);
#else
    struct entry *entry = NEW(struct entry, nnz);
    for (int e = 0; e < nnz; e++)
        entry[e] = (struct entry){column[e], value[e]};
#pragma acc enter data copyin(order[0:n], start[0:n + 1], entry[0:nnz], diagonal[0:n], b[0:n], x[0:n])
    struct triangle a = {n, nnz, start, diagonal, entry};
    while (lap(&t))
        solve(&a, first, order, b, x);
#endif
#pragma acc update self(x[0:n])
    for (int k = 0; k < n; k++)
        sum += fabs(x[k]);
    report("levels", t.best, sum);
    return 0;
}
