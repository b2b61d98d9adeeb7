// Residual of a 7-point Laplacian, double, 192³, with the sum of its squares and its largest entry in the same loop.
#include "../kernels.h"

enum { N = 192 };

#if SPELLING == 1
#define AT(p, i, j, k) (p)[((i) * n + (j)) * n + (k)]
static double residual(int n, double h2, const double *restrict u, const double *restrict f, double *restrict r)
{
    double squares = 0, most = 0;
#pragma acc parallel loop collapse(3) reduction(+ : squares) reduction(max : most)                                     \
    present(u[0:n * n * n], f[0:n * n * n], r[0:n * n * n])
#pragma omp parallel for collapse(2) reduction(+ : squares) reduction(max : most)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
#pragma omp simd reduction(+ : squares) reduction(max : most)
            for (int k = 1; k < n - 1; k++) {
                double here = AT(f, i, j, k) - h2 * (6 * AT(u, i, j, k) - AT(u, i - 1, j, k) - AT(u, i + 1, j, k) -
                                                     AT(u, i, j - 1, k) - AT(u, i, j + 1, k) - AT(u, i, j, k - 1) -
                                                     AT(u, i, j, k + 1));
                AT(r, i, j, k) = here;
                squares += here * here;
                most = fmax(most, fabs(here));
            }
    return sqrt(squares / n / n / n) + most;
}
#else
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))

static double residual(size_t n, double h2, double *pu, double *pf, double *pr)
{
    double(*u)[n][n] = (double(*)[n][n])pu, (*f)[n][n] = (double(*)[n][n])pf, (*r)[n][n] = (double(*)[n][n])pr;
    double norm2 = 0.0, norm_max = 0.0;
#pragma acc parallel present(u[0:n][0:n][0:n], f[0:n][0:n][0:n], r[0:n][0:n][0:n])
    {
#pragma acc loop gang vector collapse(3) reduction(+ : norm2) reduction(max : norm_max)
#pragma omp parallel for reduction(+ : norm2) reduction(max : norm_max)
        for (size_t i = 1; i < n - 1; ++i)
            for (size_t j = 1; j < n - 1; ++j)
                for (size_t k = 1; k < n - 1; ++k) {
                    double au = 6.0 * u[i][j][k] - (u[i - 1][j][k] + u[i + 1][j][k]) - (u[i][j - 1][k] + u[i][j + 1][k]) -
                                (u[i][j][k - 1] + u[i][j][k + 1]);
                    r[i][j][k] = f[i][j][k] - h2 * au;
                    norm2 += r[i][j][k] * r[i][j][k];
                    norm_max = MAX(norm_max, ABS(r[i][j][k]));
                }
    }
    return sqrt(norm2 / (double)(n * n * n)) + norm_max;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n * n;
    double *u = NEW(double, all), *f = NEW(double, all), *r = NEW(double, all), sum = 0, norms = 0;
    FILL(u, all, 1);
    FILL(f, all, 10);
    FILL(r, all, 0);
#pragma acc enter data copyin(u[0:all], f[0:all], r[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        norms = residual(n, 0.7, u, f, r);
#pragma acc update self(r[0:all])
    SUM(sum, r, all);
    report("residual", t.best, sum / all + norms);
    return 0;
}
