// A sparse matrix of 32768 rows with 1 to 31 numbers each times a dense one of 64 columns, float.
#include "../kernels.h"

enum { ROWS = 1 << 15, COLUMNS = 64 };

#if SPELLING == 1
static void spmm(int n, int nnz, const int *restrict start, const int *restrict column, const float *restrict value,
                 const float *restrict b, float *restrict c)
{
#pragma acc parallel loop collapse(2) present(start[0:n + 1], column[0:nnz], value[0:nnz], b[0:n * COLUMNS], c[0:n * COLUMNS])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < COLUMNS; j++) {
            float sum = 0;
            for (int k = start[i]; k < start[i + 1]; k++)
                sum += value[k] * b[column[k] * COLUMNS + j];
            c[i * COLUMNS + j] = sum;
        }
}
#elif SPELLING == 3
static void spmm(int n, int nnz, const int *rowptr, const int *colidx, const float *values, const float *B, float *C)
{
#pragma acc parallel loop gang vector_length(64) present(rowptr[0:n + 1], colidx[0:nnz], values[0:nnz], B[0:n * COLUMNS], C[0:n * COLUMNS])
    for (int i = 0; i < n; i++) {
        float *c = C + i * COLUMNS;
#pragma acc loop vector
        for (int j = 0; j < COLUMNS; j++)
            c[j] = 0;
#pragma acc loop seq
        for (int p = rowptr[i]; p < rowptr[i + 1]; p++) {
            const float v = values[p];
            const float *b = B + colidx[p] * COLUMNS;
#pragma acc loop vector
            for (int j = 0; j < COLUMNS; j++)
                c[j] += v * b[j];
        }
    }
}
#elif SPELLING == 4
static void spmm(long n, long nnz, int *start, int *column, float *value, float *b, float *c)
{
    float(*dense)[COLUMNS] = (float(*)[COLUMNS])b;
#pragma acc kernels loop independent present(start[0:n + 1], column[0:nnz], value[0:nnz], dense[0:n], c[0:n * COLUMNS])
    for (long t = 0; t < n * COLUMNS; t++) {
        long row = t >> 6, j = t & 63;
        float sum = 0;
        const int last = start[row + 1];
        for (int k = start[row]; k != last; ++k)
            sum += dense[column[k]][j] * value[k];
        c[t] = sum;
    }
}
#else
struct sparse { size_t rows; int *start, *column; float *value; };

static void spmm(struct sparse a, size_t nnz, float (*b)[COLUMNS], float (*c)[COLUMNS])
{
    int *start = a.start, *column = a.column;
    float *value = a.value;
#pragma acc parallel loop gang worker vector_length(32) num_workers(4)                                            \
    present(start[0:a.rows + 1], column[0:nnz], value[0:nnz], b[0:a.rows], c[0:a.rows])
#pragma omp parallel for
    for (size_t row = 0; row < a.rows; ++row) {
        size_t first = start[row], last = start[row + 1];
#pragma acc loop vector
        for (size_t j = 0; j < COLUMNS; ++j) {
            float sum = 0;
#pragma acc loop seq
            for (size_t k = first; k < last; ++k)
                sum += value[k] * b[column[k]][j];
            c[row][j] = sum;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, *start = NEW(int, n + 1), nnz = 0;
    for (int i = 0; i <= n; i++) {
        start[i] = nnz;
        nnz += 1 + mix(i) % 31;
    }
    nnz = start[n];
    int *column = NEW(int, nnz);
    float *value = NEW(float, nnz), *b = NEW(float, n *COLUMNS), *c = NEW(float, n *COLUMNS);
    double sum = 0;
    for (int k = 0; k < nnz; k++)
        column[k] = mix(k + 5) % n;
    FILL(value, nnz, 1);
    FILL(b, n * COLUMNS, 1);
#pragma acc enter data copyin(start[0:n + 1], column[0:nnz], value[0:nnz], b[0:n * COLUMNS]) create(c[0:n * COLUMNS])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
        spmm(n, nnz, start, column, value, b, c);
#else
        spmm((struct sparse){n, start, column, value}, nnz, (float(*)[COLUMNS])b, (float(*)[COLUMNS])c);
#endif
    }
#pragma acc update self(c[0:n * COLUMNS])
    SUM(sum, c, n *COLUMNS);
    report("spmm", t.best, sum);
    return 0;
}
