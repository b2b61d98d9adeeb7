// Sparse matrix and vector, double, in compressed rows: 2^18 rows of 8 to 64 entries, lanes along the row.
#include "../kernels.h"
#include <stdint.h>

enum { ROWS = 1 << 18 };

#if SPELLING == 1
static void multiply(int n, int entries, const int *restrict start, const int *restrict column,
                     const double *restrict value, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop gang present(start[0:n + 1], column[0:entries], value[0:entries], x[0:n], y[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
#pragma acc loop vector reduction(+ : s)
#pragma omp simd reduction(+ : s)
        for (int k = start[i]; k < start[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
}
#elif SPELLING == 3
static void multiply(int nrows, int nnz, int *row_ptr, int *col_idx, double *vals, double *x, double *y)
{
#pragma acc kernels loop independent present(row_ptr[0:nrows + 1], col_idx[0:nnz], vals[0:nnz], x[0:nrows], y[0:nrows])
    for (int row = 0; row < nrows; row++) {
        int row_end = row_ptr[row + 1];
        y[row] = 0.0;
        for (int idx = row_ptr[row]; idx < row_end; idx++)
            y[row] += vals[idx] * x[col_idx[idx]];
    }
}
#elif SPELLING == 4
typedef struct { int64_t rows, nnz; const int *rowptr, *cols; const double *vals; } csr_matrix;
static void spmv(const csr_matrix *m, const double *x, double *y)
{
    const int *rowptr = m->rowptr, *cols = m->cols;
    const double *vals = m->vals;
    const int64_t rows = m->rows, nnz = m->nnz;
#pragma acc parallel loop gang worker num_workers(16) vector_length(8) present(rowptr[0:rows + 1], cols[0:nnz], vals[0:nnz], x[0:rows], y[0:rows])
    for (int64_t i = 0; i < rows; i++) {
        double sum = 0.0;
        const int row_start = rowptr[i], row_end = rowptr[i + 1];
#pragma acc loop vector reduction(+ : sum)
        for (int j = row_start; j < row_end; j++) {
            const int Acol = cols[j];
            const double Acoef = vals[j], xcoef = x[Acol];
            sum += Acoef * xcoef;
        }
        y[i] = sum;
    }
}
static void multiply(int n, int entries, const int *start, const int *column, const double *value, const double *x, double *y)
{
    csr_matrix m = {n, entries, start, column, value};
    spmv(&m, x, y);
}
#else
static void multiply(size_t n, size_t entries, int *start, int *column, double *value, double *x, double *y)
{
#pragma acc kernels present(start[0:n + 1], column[0:entries], value[0:entries], x[0:n], y[0:n])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (size_t i = 0; i < n; i++) {
            unsigned first = start[i], length = start[i + 1] - first;
            double *v = value + first, s = 0;
            int *c = column + first;
#pragma acc loop independent vector(32) reduction(+ : s)
#pragma omp simd reduction(+ : s)
            for (unsigned k = 0; k < length; ++k)
                s = s + x[c[k]] * v[k];
            y[i] = s;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, *start = NEW(int, n + 1);
    start[0] = 0;
    for (int i = 0; i < n; i++)
        start[i + 1] = start[i] + 8 + (int)(mix(i) % 57);
    int entries = start[n], *column = NEW(int, entries);
    double *value = NEW(double, entries), *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    FILL(value, entries, 1);
    FILL(x, n, 1);
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++)
            column[k] = (int)((i + mix(k) % 4096) % n);
#pragma acc enter data copyin(start[0:n + 1], column[0:entries], value[0:entries], x[0:n]) create(y[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        multiply(n, entries, start, column, value, x, y);
#pragma acc update self(y[0:n])
    for (int i = 0; i < n; i++)
        sum += y[i] * (1 + i % 7);
    report("csr", t.best, sum);
    return 0;
}
