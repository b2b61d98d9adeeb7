// Matrix product without tiles, double, 2048 × 2048.
#include "common.h"

#if SPELLING == 1
static void matmul(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n], c[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
#pragma acc loop seq
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
#else
static void matmul(size_t n, double *pa, double *pb, double *pc)
{
    double(*a)[n] = (double(*)[n])pa, (*b)[n] = (double(*)[n])pb, (*c)[n] = (double(*)[n])pc;
#pragma acc parallel loop gang present(a[0:n][0:n], b[0:n][0:n], c[0:n][0:n])
    for (size_t i = 0; i < n; i++)
#pragma acc loop vector
        for (size_t j = 0; j < n; j++) {
            c[i][j] = 0;
            for (size_t k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift;
    size_t bytes = (size_t)n * n * sizeof(double);
    double *a = get(bytes), *b = get(bytes), *c = get(bytes);
#pragma acc enter data create(a[0:n * n], b[0:n * n], c[0:n * n])
#pragma acc parallel loop present(a[0:n * n], b[0:n * n], c[0:n * n])
    for (int k = 0; k < n * n; k++) {
        a[k] = k % 5 - 1;
        b[k] = k % 7 - 2;
        c[k] = -1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        matmul(n, a, b, c);
    row("matmul", n, w, 2.0 * n * n * n, 'F', checksum(n * n, c, 1));
    return 0;
}
