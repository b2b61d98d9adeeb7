// Electromagnetic waves in two dimensions, finite differences in time, double, 2048 × 2048: one step in three sweeps.
#include "../kernels.h"

enum { N = 2048 };

#if SPELLING == 1
static void step(int n, double source, double *restrict ex, double *restrict ey, double *restrict hz)
{
#pragma acc parallel loop collapse(2) async present(ey[0:n * n], hz[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp simd
        for (int j = 0; j < n; j++)
            if (i == 0)
                ey[j] = source;
            else
                ey[i * n + j] -= 0.5 * (hz[i * n + j] - hz[(i - 1) * n + j]);
#pragma acc parallel loop collapse(2) async present(ex[0:n * n], hz[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp simd
        for (int j = 1; j < n; j++)
            ex[i * n + j] -= 0.5 * (hz[i * n + j] - hz[i * n + j - 1]);
#pragma acc parallel loop collapse(2) async present(ex[0:n * n], ey[0:n * n], hz[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
#pragma omp simd
        for (int j = 0; j < n - 1; j++)
            hz[i * n + j] -= 0.7 * (ex[i * n + j + 1] - ex[i * n + j] + ey[(i + 1) * n + j] - ey[i * n + j]);
#pragma acc wait
}
#elif SPELLING == 3
static void step(int n, double fict, double *pex, double *pey, double *phz)
{
    double(*ex)[n] = (double(*)[n])pex, (*ey)[n] = (double(*)[n])pey, (*hz)[n] = (double(*)[n])phz;
#pragma acc kernels present(ex[0:n][0:n], ey[0:n][0:n], hz[0:n][0:n])
    {
#pragma acc loop independent
        for (int j = 0; j < n; j++)
            ey[0][j] = fict;
#pragma acc loop independent
        for (int i = 1; i < n; i++)
#pragma acc loop independent
            for (int j = 0; j < n; j++)
                ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i - 1][j]);
#pragma acc loop independent
        for (int i = 0; i < n; i++)
#pragma acc loop independent
            for (int j = 1; j < n; j++)
                ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j - 1]);
#pragma acc loop independent
        for (int i = 0; i < n - 1; i++)
#pragma acc loop independent
            for (int j = 0; j < n - 1; j++)
                hz[i][j] = hz[i][j] - 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
#elif SPELLING == 4
struct yee { int n; double *ex, *ey, *hz; };
static void update_e(struct yee *g, double source)
{
    const int n = g->n;
    double *ex = g->ex, *ey = g->ey, *hz = g->hz;
#pragma acc parallel loop present(ex[0:n * n], ey[0:n * n], hz[0:n * n]) async(1)
    for (int k = 0; k < n * n; k++) {
        int i = k / n, j = k - i * n;
        if (i > 0)
            ey[k] -= 0.5 * (hz[k] - hz[k - n]);
        else
            ey[k] = source;
        if (j > 0)
            ex[k] -= 0.5 * (hz[k] - hz[k - 1]);
    }
}
static void update_h(struct yee *g)
{
    const int n = g->n;
    double *ex = g->ex, *ey = g->ey, *hz = g->hz;
#pragma acc parallel loop collapse(2) present(ex[0:n * n], ey[0:n * n], hz[0:n * n]) async(1)
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < n - 1; j++) {
            const int k = i * n + j;
            double curl = (ex[k + 1] - ex[k]) + (ey[k + n] - ey[k]);
            hz[k] -= 0.7 * curl;
        }
}
static void step(int n, double source, double *ex, double *ey, double *hz)
{
    struct yee g = {n, ex, ey, hz};
    update_e(&g, source);
    update_h(&g);
#pragma acc wait(1)
}
#else
typedef struct {
    double *ex, *ey, *hz;
} fields;
#define AT(p, i, j) (p)[(size_t)(i) * n + (j)]

static void step(size_t n, double source, double *pex, double *pey, double *phz)
{
    fields f = {pex, pey, phz};
    double *ex = f.ex, *ey = f.ey, *hz = f.hz;
#pragma acc data present(ex[0:n * n], ey[0:n * n], hz[0:n * n])
    {
#pragma acc kernels loop independent async(1)
#pragma omp parallel for simd
        for (size_t j = 0; j < n; j++)
            AT(ey, 0, j) = source;
#pragma acc kernels async(1)
        {
#pragma acc loop independent
#pragma omp parallel for
            for (size_t i = 1; i < n; i++)
#pragma acc loop independent
#pragma omp simd
                for (size_t j = 0; j < n; j++)
                    AT(ey, i, j) = AT(ey, i, j) - 0.5 * (AT(hz, i, j) - AT(hz, i - 1, j));
#pragma acc loop independent
#pragma omp parallel for
            for (size_t i = 0; i < n; i++)
#pragma acc loop independent
#pragma omp simd
                for (size_t j = 1; j < n; j++)
                    AT(ex, i, j) = AT(ex, i, j) - 0.5 * (AT(hz, i, j) - AT(hz, i, j - 1));
#pragma acc loop independent
#pragma omp parallel for
            for (size_t i = 0; i < n - 1; i++)
#pragma acc loop independent
#pragma omp simd
                for (size_t j = 0; j < n - 1; j++)
                    AT(hz, i, j) -= 0.7 * (AT(ex, i, j + 1) - AT(ex, i, j) + AT(ey, i + 1, j) - AT(ey, i, j));
        }
#pragma acc wait(1)
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    double *ex = NEW(double, all), *ey = NEW(double, all), *hz = NEW(double, all), sum = 0;
    FILL(ex, all, 1);
    FILL(ey, all, 2);
    FILL(hz, all, 3);
#pragma acc enter data copyin(ex[0:all], ey[0:all], hz[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        step(n, 1, ex, ey, hz);
#pragma acc update self(ex[0:all], ey[0:all], hz[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(hz[k]) + fabs(ex[k]) + fabs(ey[k]);
    report("fdtd", t.best, sum);
    return 0;
}
