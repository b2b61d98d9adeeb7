// Products of many small matrices, double, 20000 of 16 × 16.
#include "../kernels.h"

enum { BATCH = 20000, M = 16 };

#if SPELLING == 1
static void products(int batch, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(3) present(a[0:batch * M * M], b[0:batch * M * M], c[0:batch * M * M])
#pragma omp parallel for
    for (int p = 0; p < batch; p++)
        for (int i = 0; i < M; i++)
#pragma omp simd
            for (int j = 0; j < M; j++) {
                double s = 0;
                for (int k = 0; k < M; k++)
                    s += a[(p * M + i) * M + k] * b[(p * M + k) * M + j];
                c[(p * M + i) * M + j] = s;
            }
}
#elif SPELLING == 3
#define DIM M
static void products(int count, const double *A, const double *B, double *C)
{
    long len = (long)count * DIM * DIM;
#pragma acc parallel loop gang num_workers(16) vector_length(16) present(A[0:len], B[0:len], C[0:len])
    for (int m = 0; m < count; m++) {
        const double *a = A + (long)m * DIM * DIM;
        const double *b = B + (long)m * DIM * DIM;
        double *c = C + (long)m * DIM * DIM;
#pragma acc loop worker
        for (int i = 0; i < DIM; i++) {
#pragma acc loop vector
            for (int j = 0; j < DIM; j++) {
                double s = 0;
                for (int k = 0; k < DIM; k++)
                    s += a[i * DIM + k] * b[k * DIM + j];
                c[i * DIM + j] = s;
            }
        }
    }
}
#elif SPELLING == 4
#define MAT(p, m, i, j) p[(m) * 256u + (i) * 16u + (j)]
static void products(unsigned nb, double *x, double *y, double *z)
{
#pragma acc kernels loop independent collapse(3) present(x, y, z)
    for (unsigned m = 0; m < nb; m++)
        for (unsigned i = 0; i < 16; i++)
            for (unsigned j = 0; j < 16; j++) {
                MAT(z, m, i, j) = 0;
#pragma acc loop seq
                for (unsigned k = 0; k < 16; k++)
                    MAT(z, m, i, j) += MAT(x, m, i, k) * MAT(y, m, k, j);
            }
}
#else
typedef double matrix[M][M];

static void products(unsigned batch, void *pa, void *pb, void *pc)
{
    matrix *a = pa, *b = pb, *c = pc;
#pragma acc parallel loop gang present(a[0:batch], b[0:batch], c[0:batch])
#pragma omp parallel for
    for (unsigned p = 0; p < batch; p++) {
#pragma acc loop vector collapse(2)
        for (unsigned i = 0; i < M; i++)
#pragma omp simd
            for (unsigned j = 0; j < M; j++) {
                double s = 0;
                for (unsigned k = 0; k < M; k++)
                    s += a[p][i][k] * b[p][k][j];
                c[p][i][j] = s;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int batch = BATCH >> args.shift, all = batch * M * M;
    double *a = NEW(double, all), *b = NEW(double, all), *c = NEW(double, all), sum = 0;
    FILL(a, all, 1);
    FILL(b, all, 1);
#pragma acc enter data copyin(a[0:all], b[0:all]) create(c[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        products(batch, a, b, c);
#pragma acc update self(c[0:all])
    SUM(sum, c, all);
    report("batched", t.best, sum);
    return 0;
}
