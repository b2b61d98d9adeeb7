// A tensor contraction, double: t[i][j][l] = sum of a[i][k][j] b[k][l] over k, 128 × 64 × 64 results of 64 products.
#include "../kernels.h"

enum { I = 128, J = 64, K = 64, L = 64 };

#if SPELLING == 1
static void contract(int n, const double *restrict a, const double *restrict b, double *restrict t)
{
#pragma acc parallel loop collapse(3) present(a[0:n * K * J], b[0:K * L], t[0:n * J * L])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < J; j++)
#pragma omp simd
            for (int l = 0; l < L; l++) {
                double s = 0;
                for (int k = 0; k < K; k++)
                    s += a[(i * K + k) * J + j] * b[k * L + l];
                t[(i * J + j) * L + l] = s;
            }
}
#else
typedef double slice_a[K][J];
typedef double slice_t[J][L];

static void contract(size_t n, double *pa, double *pb, double *pt)
{
    slice_a *a = (slice_a *)pa;
    double(*b)[L] = (double(*)[L])pb;
    slice_t *t = (slice_t *)pt;
#pragma acc parallel present(a[0:n], b[0:K], t[0:n])
    {
#pragma acc loop gang collapse(2)
#pragma omp parallel for collapse(2)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < J; j++)
#pragma acc loop vector
#pragma omp simd
                for (size_t l = 0; l < L; l++) {
                    t[i][j][l] = 0;
                    for (size_t k = 0; k < K; k++)
                        t[i][j][l] += a[i][k][j] * b[k][l];
                }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = I >> args.shift, all = n * J * L;
    double *a = NEW(double, n *K *J), *b = NEW(double, K *L), *t = NEW(double, all), sum = 0;
    FILL(a, n * K * J, 1);
    FILL(b, K * L, 1);
#pragma acc enter data copyin(a[0:n * K * J], b[0:K * L]) create(t[0:all])
    struct watch w = watch(args.repeats);
    while (lap(&w))
        contract(n, a, b, t);
#pragma acc update self(t[0:all])
    SUM(sum, t, all);
    report("contraction", w.best, sum);
    return 0;
}
