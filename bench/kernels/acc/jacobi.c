// Poisson's equation by Jacobi's method, double, 2048 × 2048: a step, the largest change, and the copy back.
#include "../kernels.h"

enum { N = 2048 };

#if SPELLING == 1
static double step(int n, double *restrict u, double *restrict v)
{
    double most = 0;
#pragma acc parallel loop collapse(2) reduction(max : most) present(u[0:n * n], v[0:n * n])
#pragma omp parallel for reduction(max : most)
    for (int i = 1; i < n - 1; i++)
#pragma omp simd reduction(max : most)
        for (int j = 1; j < n - 1; j++) {
            v[i * n + j] = 0.25 * (u[i * n + j - 1] + u[i * n + j + 1] + u[(i - 1) * n + j] + u[(i + 1) * n + j]);
            most = fmax(most, fabs(v[i * n + j] - u[i * n + j]));
        }
#pragma acc parallel loop collapse(2) present(u[0:n * n], v[0:n * n])
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
#pragma omp simd
        for (int j = 1; j < n - 1; j++)
            u[i * n + j] = v[i * n + j];
    return most;
}
#elif SPELLING == 3
#define OFFSET(row, col, m) (((row) * (m)) + (col))
static double step(int n, double *restrict A, double *restrict Anew)
{
    const int m = n;
    double error = 0.0;
#pragma acc parallel loop reduction(max : error) tile(32, 4) present(A, Anew)
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++) {
            Anew[OFFSET(j, i, m)] = 0.25 * (A[OFFSET(j, i + 1, m)] + A[OFFSET(j, i - 1, m)] + A[OFFSET(j - 1, i, m)] + A[OFFSET(j + 1, i, m)]);
            error = fmax(error, fabs(Anew[OFFSET(j, i, m)] - A[OFFSET(j, i, m)]));
        }
#pragma acc parallel loop tile(32, 4) present(A, Anew)
    for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < m - 1; i++)
            A[OFFSET(j, i, m)] = Anew[OFFSET(j, i, m)];
    return error;
}
#elif SPELLING == 4
static double step(int n, double *u, double *unew)
{
    double err = 0;
#pragma acc data copy(err) present(u[0:n * n], unew[0:n * n])
    {
#pragma acc parallel loop gang reduction(max : err)
        for (long i = 1; i < n - 1; i++) {
            const double *up = u + (i - 1) * n, *mid = u + i * n, *down = u + (i + 1) * n;
            double *out = unew + i * n;
#pragma acc loop vector reduction(max : err)
            for (long j = 1; j < n - 1; j++) {
                double value = (mid[j - 1] + mid[j + 1] + up[j] + down[j]) * 0.25;
                double diff = value > mid[j] ? value - mid[j] : mid[j] - value;
                out[j] = value;
                if (diff > err)
                    err = diff;
            }
        }
#pragma acc parallel loop gang
        for (long i = 1; i < n - 1; i++) {
            double *to = u + i * n, *from = unew + i * n;
#pragma acc loop vector
            for (long j = 1; j < n - 1; j++)
                to[j] = from[j];
        }
    }
    return err;
}
#else
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static double step(size_t n, double *pu, double *pv)
{
    double(*u)[n] = (double(*)[n])pu, (*v)[n] = (double(*)[n])pv, most = 0;
#pragma acc kernels present(u[0:n][0:n], v[0:n][0:n])
    {
#pragma acc loop independent reduction(max : most)
#pragma omp parallel for reduction(max : most)
        for (size_t i = 1; i < n - 1; i++)
#pragma acc loop independent reduction(max : most)
#pragma omp simd reduction(max : most)
            for (size_t j = 1; j < n - 1; j++) {
                v[i][j] = (u[i][j - 1] + u[i][j + 1] + u[i - 1][j] + u[i + 1][j]) / 4;
                double change = v[i][j] > u[i][j] ? v[i][j] - u[i][j] : u[i][j] - v[i][j];
                most = MAX(most, change);
            }
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 1; i < n - 1; i++)
#pragma acc loop independent
#pragma omp simd
            for (size_t j = 1; j < n - 1; j++)
                u[i][j] = v[i][j];
    }
    return most;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    double *u = NEW(double, all), *v = NEW(double, all), sum = 0, most = 0;
    FILL(u, all, 1);
    FILL(v, all, 0);
#pragma acc enter data copyin(u[0:all], v[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        most = step(n, u, v);
#pragma acc update self(u[0:all])
    SUM(sum, u, all);
    report("jacobi", t.best, sum + most);
    return 0;
}
