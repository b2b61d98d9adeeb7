// The lower triangle of C = alpha (A B' + B A') + beta C, 512 x 512 doubles, 512 columns in A and B.
#include "../kernels.h"

enum { SIDE = 512 };

#if SPELLING == 1
static void syr2k(int n, int m, double alpha, double beta, double *restrict c, const double *restrict a, const double *restrict b)
{
#pragma acc parallel loop gang present(c[0:n * n], a[0:n * m], b[0:n * m])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[j * m + k] * b[i * m + k] + b[j * m + k] * a[i * m + k];
            c[i * n + j] = beta * c[i * n + j] + alpha * sum;
        }
    }
}
#elif SPELLING == 3
static void syr2k(int n, int m, double alpha, double beta, double *c, double *a, double *b)
{
    double(*C)[n] = (double(*)[n])c, (*A)[m] = (double(*)[m])a, (*B)[m] = (double(*)[m])b;
#pragma acc parallel loop gang present(C[0:n], A[0:n], B[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = 0; j <= i; j++)
            C[i][j] *= beta;
#pragma acc loop seq
        for (int k = 0; k < m; k++) {
#pragma acc loop vector
            for (int j = 0; j <= i; j++)
                C[i][j] += A[j][k] * alpha * B[i][k] + B[j][k] * alpha * A[i][k];
        }
    }
}
#elif SPELLING == 4
static void syr2k(int n, int m, double alpha, double beta, double *restrict c, const double *restrict a, const double *restrict b)
{
#pragma acc parallel loop collapse(2) default(present)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j > i)
                continue;
            const double *ai = a + i * m, *aj = a + j * m, *bi = b + i * m, *bj = b + j * m;
            double s1 = 0, s2 = 0;
            for (int k = 0; k < m; k++) {
                s1 += ai[k] * bj[k];
                s2 += bi[k] * aj[k];
            }
            c[i * n + j] = alpha * (s1 + s2) + beta * c[i * n + j];
        }
}
#else
static void syr2k(size_t n, size_t m, double alpha, double beta, double *C, double *A, double *B)
{
    double(*c)[n] = (double(*)[n])C, (*a)[m] = (double(*)[m])A, (*b)[m] = (double(*)[m])B;
#pragma acc parallel loop collapse(2) present(c[0:n][0:n], a[0:n][0:m], b[0:n][0:m])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            if (j > i)
                continue;
            double sum = beta * c[i][j];
            for (size_t k = 0; k < m; ++k) {
                sum += a[j][k] * alpha * b[i][k];
                sum += b[j][k] * alpha * a[i][k];
            }
            c[i][j] = sum;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    double *c = NEW(double, n *n), *a = NEW(double, n *n), *b = NEW(double, n *n), sum = 0;
    FILL(c, n * n, 1);
    FILL(a, n * n, 1);
    FILL(b, n * n, 2);
#pragma acc enter data copyin(c[0:n * n], a[0:n * n], b[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        syr2k(n, n, 0.01, 0.5, c, a, b);
#pragma acc update self(c[0:n * n])
    SUM(sum, c, n *n);
    report("syr2k", t.best, sum);
    return 0;
}
