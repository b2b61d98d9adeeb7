// 32768 systems of five equations each, as the lines of an implicit solver have them: Gauss and Jordan without pivots, double.
#include "../kernels.h"

enum { SYSTEMS = 32768, M = 5 };

#if SPELLING == 1
static void solve(int n, const double *restrict a, const double *restrict b, double *restrict x)
{
#pragma acc parallel loop present(a[0:n * M * M], b[0:n * M], x[0:n * M])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        double l[M][M], r[M];
        for (int i = 0; i < M; i++) {
            for (int j = 0; j < M; j++)
                l[i][j] = a[(i * M + j) * n + s];
            r[i] = b[i * n + s];
        }
        for (int k = 0; k < M; k++) {
            double pivot = 1 / l[k][k];
            for (int j = k + 1; j < M; j++)
                l[k][j] *= pivot;
            r[k] *= pivot;
            for (int i = 0; i < M; i++)
                if (i != k) {
                    double f = l[i][k];
                    for (int j = k + 1; j < M; j++)
                        l[i][j] -= f * l[k][j];
                    r[i] -= f * r[k];
                }
        }
        for (int i = 0; i < M; i++)
            x[i * n + s] = r[i];
    }
}
#else
typedef struct { double at[M][M], right[M]; } equations;

static void eliminate(equations *e)
{
    for (size_t k = 0; k < M; ++k) {
        for (size_t i = k + 1; i < M; ++i) {
            double f = e->at[i][k] / e->at[k][k];
            for (size_t j = k; j < M; ++j)
                e->at[i][j] -= f * e->at[k][j];
            e->right[i] -= f * e->right[k];
        }
    }
}

static void substitute(equations *e)
{
    for (int i = M - 1; i >= 0; --i) {
        double sum = e->right[i];
        for (int j = i + 1; j < M; ++j)
            sum -= e->at[i][j] * e->right[j];
        e->right[i] = sum / e->at[i][i];
    }
}

static void solve(size_t n, double *a, double *b, double *x)
{
    double(*in)[M][n] = (double(*)[M][n])a, (*right)[n] = (double(*)[n])b, (*out)[n] = (double(*)[n])x;
#pragma acc parallel loop gang vector present(in[0:M][0:M][0:n], right[0:M][0:n], out[0:M][0:n])
#pragma omp parallel for
    for (size_t s = 0; s < n; ++s) {
        equations e;
        for (size_t i = 0; i < M; ++i)
            for (size_t j = 0; j < M; ++j)
                e.at[i][j] = in[i][j][s];
        for (size_t i = 0; i < M; ++i)
            e.right[i] = right[i][s];
        eliminate(&e);
        substitute(&e);
        for (size_t i = 0; i < M; ++i)
            out[i][s] = e.right[i];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SYSTEMS >> args.shift;
    double *a = NEW(double, n *M *M), *b = NEW(double, n *M), *x = NEW(double, n *M), sum = 0;
    FILL(a, n * M * M, 1);
    FILL(b, n * M, 1);
    for (int s = 0; s < n; s++)
        for (int i = 0; i < M; i++)
            a[i * (M + 1) * n + s] += M;
#pragma acc enter data copyin(a[0:n * M * M], b[0:n * M]) create(x[0:n * M])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        solve(n, a, b, x);
#pragma acc update self(x[0:n * M])
    SUM(sum, x, n * M);
    report("solve5", t.best, sum);
    return 0;
}
