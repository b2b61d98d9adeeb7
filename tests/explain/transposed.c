// Transpositions in three spellings: blocks of few columns, threads that do several rows.
#include <stddef.h>
enum { N = 2048 };
static double from[N * N], to[N * N];
static void flat(int n, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = a[j * n + i];
}
static void rows(size_t n, double *p, double *q)
{
    double(*a)[n] = (double(*)[n])p, (*b)[n] = (double(*)[n])q;
#pragma acc parallel loop gang present(a[0:n][0:n], b[0:n][0:n])
    for (size_t i = 0; i < n; i++)
#pragma acc loop vector
        for (size_t j = 0; j < n; j++)
            b[i][j] = 2 * a[j][i];
}
#define AT(a, y, x) (a)[(y) * n + (x)]
static void macros(unsigned n, const double *a, double *b)
{
#pragma acc kernels loop independent collapse(2) present(a[0:n * n], b[0:n * n])
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++)
            AT(b, i, j) = AT(a, j, i);
}
int main(void)
{
#pragma acc data copyin(from) copyout(to)
    {
        flat(N, from, to);
        rows(N, from, to);
        macros(N, from, to);
    }
    return 0;
}
