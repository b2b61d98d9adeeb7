// y = Aᵀ (A x), double, 4096 × 4096: a sum over rows, then one over columns.
#include "../kernels.h"
#include <stdint.h>

enum { N = 4096 };

#if SPELLING == 1
static void atax(int n, const double *restrict a, const double *restrict x, double *restrict t, double *restrict y)
{
#pragma acc parallel loop gang async present(a[0:n * n], x[0:n], t[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 0;
#pragma acc loop vector reduction(+ : s)
#pragma omp simd reduction(+ : s)
        for (int j = 0; j < n; j++)
            s += a[i * n + j] * x[j];
        t[i] = s;
    }
#pragma acc parallel loop async present(a[0:n * n], t[0:n], y[0:n])
#pragma omp parallel for
    for (int j = 0; j < n; j++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += a[i * n + j] * t[i];
        y[j] = s;
    }
#pragma acc wait
}
#elif SPELLING == 3
#define A(i, j) a[(i) * n + (j)]
static void atax(int n, double *a, double *x, double *tmp, double *y)
{
    int i, j;
#pragma acc data present(a[0:n * n], x[0:n], tmp[0:n], y[0:n])
    {
#pragma acc kernels
        {
#pragma acc loop independent private(j)
            for (i = 0; i < n; i++) {
                tmp[i] = 0;
                for (j = 0; j < n; j++)
                    tmp[i] = tmp[i] + A(i, j) * x[j];
            }
#pragma acc loop independent private(i)
            for (j = 0; j < n; j++) {
                y[j] = 0;
                for (i = 0; i < n; i++)
                    y[j] = y[j] + A(i, j) * tmp[i];
            }
        }
    }
}
#undef A
#elif SPELLING == 4
static void atax(int64_t n, const double *restrict a, const double *restrict x, double *restrict tmp, double *restrict y)
{
#pragma acc parallel loop present(y[0:n]) async(1)
    for (int64_t j = 0; j < n; j++)
        y[j] = 0.0;
#pragma acc parallel loop gang vector_length(256) present(a[0:n * n], x[0:n], tmp[0:n], y[0:n]) async(1)
    for (int64_t i = 0; i < n; i++) {
        const double *restrict row = a + i * n;
        double dot = 0.0;
#pragma acc loop vector reduction(+ : dot)
        for (int64_t j = 0; j < n; j++)
            dot += row[j] * x[j];
        tmp[i] = dot;
#pragma acc loop vector
        for (int64_t j = 0; j < n; j++) {
            double add = row[j] * dot;
#pragma acc atomic update
            y[j] += add;
        }
    }
#pragma acc wait(1)
}
#else
static void atax(size_t n, double *flat, double *x, double *t, double *y)
{
    double(*a)[n] = (double(*)[n])flat;
#pragma acc data present(a[0:n][0:n], x[0:n], t[0:n], y[0:n])
    {
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) async
#pragma omp parallel for
        for (size_t i = 0; i < n; i++) {
            double s = 0;
#pragma acc loop vector reduction(+ : s)
#pragma omp simd reduction(+ : s)
            for (size_t j = 0; j < n; j++)
                s += a[i][j] * x[j];
            t[i] = s;
        }
#pragma acc kernels async
#pragma acc loop independent
#pragma omp parallel for
        for (size_t j = 0; j < n; j++) {
            y[j] = 0;
            for (size_t i = 0; i < n; i++)
                y[j] = y[j] + a[i][j] * t[i];
        }
#pragma acc wait
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift;
    double *a = NEW(double, n *n), *x = NEW(double, n), *t = NEW(double, n), *y = NEW(double, n), sum = 0;
    FILL(a, n * n, 1);
    FILL(x, n, 1);
#pragma acc enter data copyin(a[0:n * n], x[0:n]) create(t[0:n], y[0:n])
    struct watch w = watch(args.repeats);
    while (lap(&w))
        atax(n, a, x, t, y);
#pragma acc update self(y[0:n])
    SUM(sum, y, n);
    report("atax", w.best, sum);
    return 0;
}
