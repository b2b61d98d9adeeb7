// A symmetric matrix of 1024 x 1024 doubles, of which the lower triangle is stored, times another: D = alpha A B + beta C.
#include "../kernels.h"

enum { SIDE = 1024 };
#define ALPHA 1.5
#define BETA 1.2

#if SPELLING == 1
static void symm(int n, const double *restrict a, const double *restrict b, const double *restrict c, double *restrict d)
{
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n], c[0:n * n], d[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k <= i; k++)
                sum += a[i * n + k] * b[k * n + j];
            for (int k = i + 1; k < n; k++)
                sum += a[k * n + i] * b[k * n + j];
            d[i * n + j] = ALPHA * sum + BETA * c[i * n + j];
        }
}
#elif SPELLING == 3
#define SYM(i, k) ((i) < (k) ? a[(k) * n + (i)] : a[(i) * n + (k)])
static void symm(int n, double *a, double *b, double *c, double *d)
{
#pragma acc parallel loop gang present(a[0:n * n], b[0:n * n], c[0:n * n], d[0:n * n])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j < n; j++) {
            double acc = 0;
            for (int k = 0; k < n; k++)
                acc += SYM(i, k) * b[k * n + j];
            d[i * n + j] = ALPHA * acc + BETA * c[i * n + j];
        }
    }
}
#elif SPELLING == 4
static void symm(size_t n, const double *pa, const double *pb, const double *pc, double *pd)
{
    const double(*A)[n] = (const double(*)[n])pa, (*B)[n] = (const double(*)[n])pb, (*C)[n] = (const double(*)[n])pc;
    double(*D)[n] = (double(*)[n])pd;
#pragma acc kernels present(A[0:n], B[0:n], C[0:n], D[0:n])
#pragma acc loop independent collapse(2)
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            D[i][j] = BETA * C[i][j] + ALPHA * A[i][i] * B[i][j];
            for (size_t k = 0; k < i; k++)
                D[i][j] += ALPHA * A[i][k] * B[k][j];
            for (size_t k = i + 1; k < n; k++)
                D[i][j] += ALPHA * A[k][i] * B[k][j];
        }
}
#else
#define A(i, k) ((i) >= (k) ? a[i][k] : a[k][i])

static void symm(long n, double a[n][n], double b[n][n], double c[n][n], double d[n][n])
{
#pragma acc kernels present(a[0:n][0:n], b[0:n][0:n], c[0:n][0:n], d[0:n][0:n])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
#pragma acc loop independent
            for (long j = 0; j < n; ++j)
                d[i][j] = BETA * c[i][j];
#pragma acc loop independent
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
#pragma acc loop independent
            for (long j = 0; j < n; ++j)
                for (long k = 0; k < n; ++k)
                    d[i][j] += ALPHA * A(i, k) * b[k][j];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n;
    double *a = NEW(double, all), *b = NEW(double, all), *c = NEW(double, all), *d = NEW(double, all), sum = 0;
    FILL(a, all, 1);
    FILL(b, all, 2);
    FILL(c, all, 3);
#pragma acc enter data copyin(a[0:all], b[0:all], c[0:all]) create(d[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
        symm(n, a, b, c, d);
#else
        symm(n, (void *)a, (void *)b, (void *)c, (void *)d);
#endif
    }
#pragma acc update self(d[0:all])
    SUM(sum, d, all);
    report("symm", t.best, sum);
    return 0;
}
