// 7-point stencil, double, 384³.
#include "../kernels.h"

enum { N = 384 };

#if SPELLING == 1
#define AT(p, i, j, k) (p)[((i) * n + (j)) * n + (k)]
static void sweep(int n, const double *restrict u, double *restrict v)
{
#pragma acc parallel loop collapse(3) present(u[0:n * n * n], v[0:n * n * n])
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#pragma omp simd
            for (int k = 1; k < n - 1; k++)
                AT(v, i, j, k) = 0.4 * AT(u, i, j, k) +
                                 0.1 * (AT(u, i - 1, j, k) + AT(u, i + 1, j, k) + AT(u, i, j - 1, k) +
                                        AT(u, i, j + 1, k) + AT(u, i, j, k - 1) + AT(u, i, j, k + 1));
}
#else
static void sweep(int n, double *pu, double *pv)
{
    double(*u)[n][n] = (double(*)[n][n])pu, (*v)[n][n] = (double(*)[n][n])pv;
#pragma acc parallel present(u[0:n][0:n][0:n], v[0:n][0:n][0:n])
    {
#pragma acc loop gang
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
#pragma acc loop worker
            for (int j = 1; j < n - 1; j++)
#pragma acc loop vector
#pragma omp simd
                for (int k = 1; k < n - 1; k++)
                    v[i][j][k] = 0.4 * u[i][j][k] + 0.1 * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] +
                                                           u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1]);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n * n;
    double *u = NEW(double, all), *v = NEW(double, all), sum = 0;
    FILL(u, all, 1);
    FILL(v, all, 0);
#pragma acc enter data copyin(u[0:all], v[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        sweep(n, u, v);
#pragma acc update self(v[0:all])
    SUM(sum, v, all);
    report("stencil7", t.best, sum);
    return 0;
}
