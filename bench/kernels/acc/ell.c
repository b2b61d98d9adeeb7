// Sparse matrix and vector, double: 2^18 rows of up to 32 entries in ELLPACK's order (entry k of all rows together).
#include "../kernels.h"

enum { ROWS = 1 << 18, WIDTH = 32 };

#if SPELLING == 1
static void multiply(int n, const double *restrict value, const int *restrict column, const double *restrict x,
                     double *restrict y)
{
#pragma acc parallel loop present(value[0:n * WIDTH], column[0:n * WIDTH], x[0:n], y[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < WIDTH; k++) {
            int c = column[k * n + i];
            if (c >= 0)
                s += value[k * n + i] * x[c];
        }
        y[i] = s;
    }
}
#elif SPELLING == 3
static void multiply(long n, double *value, int *column, double *x, double *y)
{
#pragma acc parallel loop gang vector present(value[0:n * WIDTH], column[0:n * WIDTH], x[0:n], y[0:n])
    for (long row = 0; row < n; row++) {
        double dot = 0;
        long k = 0;
        while (k < WIDTH && column[k * n + row] >= 0) {
            dot += value[k * n + row] * x[column[k * n + row]];
            k++;
        }
        y[row] = dot;
    }
}
#elif SPELLING == 4
static void multiply(int n, const double *pv, const int *pc, const double *x, double *y)
{
    const double(*val)[n] = (const double(*)[n])pv;
    const int(*col)[n] = (const int(*)[n])pc;
#pragma acc kernels loop independent gang vector(128) present(val[0:WIDTH], col[0:WIDTH], x[0:n], y[0:n])
    for (int i = 0; i < n; i++) {
        y[i] = 0;
#pragma acc loop seq
        for (int k = 0; k < WIDTH; k++)
            y[i] += col[k][i] < 0 ? 0.0 : val[k][i] * x[col[k][i]];
    }
}
#else
struct ell {
    size_t rows, width;
    double *value;
    int *column;
};

static void multiply(int n, double *value, int *column, double *x, double *y)
{
    struct ell m = {n, WIDTH, value, column};
    double *v = m.value;
    int *c = m.column;
#pragma acc parallel loop gang vector_length(128) present(v[0:m.rows * m.width], c[0:m.rows * m.width], x[0:n], y[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < m.rows; i++) {
        y[i] = 0;
        size_t at = i;
        for (size_t k = 0; k < m.width; k++, at += m.rows)
            if (c[at] != -1)
                y[i] += v[at] * x[c[at]];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, all = n * WIDTH, *column = NEW(int, all);
    double *value = NEW(double, all), *x = NEW(double, n), *y = NEW(double, n), sum = 0;
    FILL(value, all, 1);
    FILL(x, n, 1);
    for (int k = 0; k < WIDTH; k++)
        for (int i = 0; i < n; i++)
            column[k * n + i] = k < 16 + i % 17 ? (int)((i + mix(k * 4096 + i) % 4096) % n) : -1;
#pragma acc enter data copyin(value[0:all], column[0:all], x[0:n]) create(y[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        multiply(n, value, column, x, y);
#pragma acc update self(y[0:n])
    SUM(sum, y, n);
    report("ell", t.best, sum);
    return 0;
}
