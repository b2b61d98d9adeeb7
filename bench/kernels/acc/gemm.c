// C = alpha A B + beta C as PolyBench has it, double, 1000 x 1100 with 1200 columns in A: added up in C itself.
#include "../kernels.h"

enum { NI = 1000, NJ = 1100, NK = 1200 };

#if SPELLING == 1
static void gemm(int ni, int nj, int nk, double alpha, double beta, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(a[0:ni * nk], b[0:nk * nj], c[0:ni * nj])
#pragma omp parallel for
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            c[i * nj + j] *= beta;
            for (int k = 0; k < nk; k++)
                c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
        }
}
#elif SPELLING == 3
typedef struct { int rows, cols, inner; } gemm_size;
#define IDX(i, j, ld) ((i) * (ld) + (j))
static void gemm_tiled(gemm_size sz, double alpha, double beta, double *A, double *B, double *C)
{
#pragma acc parallel loop tile(16, 16) present(A[0:sz.rows * sz.inner], B[0:sz.inner * sz.cols], C[0:sz.rows * sz.cols])
    for (int row = 0; row < sz.rows; row++)
        for (int col = 0; col < sz.cols; col++) {
            double acc = 0.0;
            for (int l = 0; l < sz.inner; l++)
                acc += A[IDX(row, l, sz.inner)] * B[IDX(l, col, sz.cols)];
            C[IDX(row, col, sz.cols)] = alpha * acc + beta * C[IDX(row, col, sz.cols)];
        }
}
static void gemm(int ni, int nj, int nk, double alpha, double beta, double *a, double *b, double *c)
{
    gemm_size sz = {ni, nj, nk};
    gemm_tiled(sz, alpha, beta, a, b, c);
}
#elif SPELLING == 4
static void gemm(int ni, int nj, int nk, double alpha, double beta, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc kernels present(a[0:ni * nk], b[0:nk * nj], c[0:ni * nj])
    {
#pragma acc loop independent gang
        for (int i = 0; i < ni; i++) {
            double *ci = c + i * nj;
            const double *ai = a + i * nk;
#pragma acc loop independent vector
            for (int j = 0; j < nj; j++)
                ci[j] *= beta;
#pragma acc loop seq
            for (int k = 0; k < nk; k++) {
                const double *bk = b + k * nj;
#pragma acc loop independent vector
                for (int j = 0; j < nj; j++)
                    ci[j] += alpha * ai[k] * bk[j];
            }
        }
    }
}
#else
static void gemm(size_t ni, size_t nj, size_t nk, double alpha, double beta, double a[ni][nk], double b[nk][nj], double c[ni][nj])
{
#pragma acc kernels present(a[0:ni][0:nk], b[0:nk][0:nj], c[0:ni][0:nj])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (size_t i = 0; i < ni; ++i) {
#pragma acc loop independent vector
            for (size_t j = 0; j < nj; ++j) {
                c[i][j] = c[i][j] * beta;
                for (size_t k = 0; k < nk; ++k)
                    c[i][j] = c[i][j] + alpha * a[i][k] * b[k][j];
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int ni = NI >> args.shift / 2, nj = NJ >> (args.shift + 1) / 2, nk = NK >> (args.shift + 1) / 2;
    double *a = NEW(double, ni *nk), *b = NEW(double, nk *nj), *c = NEW(double, ni *nj), sum = 0;
    FILL(a, ni * nk, 1);
    FILL(b, nk * nj, 2);
    FILL(c, ni * nj, 1);
#pragma acc enter data copyin(a[0:ni * nk], b[0:nk * nj], c[0:ni * nj])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
        gemm(ni, nj, nk, 0.01, 0.5, a, b, c);
#else
        gemm(ni, nj, nk, 0.01, 0.5, (double(*)[nk])a, (double(*)[nj])b, (double(*)[nj])c);
#endif
#pragma acc update self(c[0:ni * nj])
    SUM(sum, c, ni * nj);
    report("gemm", t.best, sum);
    return 0;
}
