// A matrix of 512 x 512 doubles becomes L and U in place, without pivots: in each of 512 steps a column, then what is right of it.
#include "../kernels.h"

enum { N = 512 };

#if SPELLING == 1
static void lu(int n, double *restrict a)
{
    for (int k = 0; k < n - 1; k++) {
#pragma acc parallel loop present(a[0:n * n])
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= a[k * n + k];
#pragma acc parallel loop collapse(2) present(a[0:n * n])
#pragma omp parallel for collapse(2)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}
#elif SPELLING == 3
static void lu(long n, double *a)
{
    for (long k = 0; k < n - 1; k++) {
        const double *pivot = a + k * n;
#pragma acc parallel loop gang present(a[0:n * n]) vector_length(64)
        for (long i = k + 1; i < n; i++) {
            double *row = a + i * n;
            double f = row[k] / a[k * n + k];
#pragma acc loop vector
            for (long j = k + 1; j < n; j++)
                row[j] -= f * a[k * n + j];
            row[k] = f;
        }
    }
}
#elif SPELLING == 4
#define A(i, j) a[(size_t)(i) * n + (j)]
static void lu(int n, double *restrict a)
{
#pragma acc data present(a[0:n * n])
    for (int k = 0; k < n; k++) {
#pragma acc parallel loop gang vector async(1)
        for (int i = k + 1; i < n; i++)
            A(i, k) = A(i, k) / A(k, k);
#pragma acc parallel loop gang vector collapse(2) async(1)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A(i, j) = A(i, j) - A(i, k) * A(k, j);
    }
#pragma acc wait(1)
}
#else
#define A(i, j) a[(i) + (j) * ld]
static void lu(size_t n, double *b)
{
    const size_t ld = n;
    // Columns lie one behind another, so what is read as A(i, j) is the element of the transposed matrix.
    double *a = b;
    for (size_t k = 0; k + 1 < n; ++k) {
#pragma acc kernels present(a[0:n * n])
        {
#pragma acc loop independent
#pragma omp parallel for
            for (size_t i = k + 1; i < n; ++i)
                A(k, i) = A(k, i) / A(k, k);
#pragma acc loop independent gang
#pragma omp parallel for
            for (size_t i = k + 1; i < n; ++i) {
                double f = A(k, i);
#pragma acc loop independent vector
                for (size_t j = k + 1; j < n; ++j)
                    A(j, i) -= f * A(j, k);
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> (args.shift + 1) / 2;
    double *a = NEW(double, n *n), *from = NEW(double, n *n), sum = 0;
    FILL(from, n * n, 1);
    for (int i = 0; i < n; i++)
        from[i * n + i] += n;
#pragma acc enter data create(a[0:n * n]) copyin(from[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#pragma acc parallel loop present(a[0:n * n], from[0:n * n])
        for (int i = 0; i < n * n; i++)
            a[i] = from[i];
        lu(n, a);
    }
#pragma acc update self(a[0:n * n])
    SUM(sum, a, n * n);
    report("lu", t.best, sum);
    return 0;
}
