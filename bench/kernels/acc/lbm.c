// Lattice Boltzmann, D2Q9, double, 2048 × 2048: one collision and streaming step, distributions of a cell in an array.
#include "../kernels.h"

enum { N = 2048, Q = 9 };

#if SPELLING == 1
static void step(int n, const double *restrict f, double *restrict g)
{
#pragma acc parallel loop collapse(2) present(f[0:Q * n * n], g[0:Q * n * n])
#pragma omp parallel for
    for (int y = 1; y < n - 1; y++)
#pragma omp simd
        for (int x = 1; x < n - 1; x++) {
            const int cx[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
            const double w[Q] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
            double h[Q], rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < Q; q++) {
                h[q] = f[q * n * n + (y - cy[q]) * n + x - cx[q]];
                rho += h[q];
                ux += cx[q] * h[q];
                uy += cy[q] * h[q];
            }
            ux /= rho;
            uy /= rho;
            for (int q = 0; q < Q; q++) {
                double cu = 3 * (cx[q] * ux + cy[q] * uy);
                double e = rho * w[q] * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
                g[q * n * n + y * n + x] = h[q] + 0.6 * (e - h[q]);
            }
        }
}
#else
typedef struct {
    double rho, u[2];
} moments;

static void step(long n, double *f, double *g)
{
#pragma acc parallel loop present(f[0:Q * n * n], g[0:Q * n * n])
#pragma omp parallel for
    for (long cell = 0; cell < n * n; cell++) {
        long x = cell % n, y = cell / n;
        if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
            continue;
        const int c[Q][2] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
        const double w[3] = {4. / 9, 1. / 9, 1. / 36};
        double h[Q];
        moments m = {0, {0, 0}};
        for (int q = 0; q < Q; q++) {
            h[q] = f[(q * n + y - c[q][1]) * n + x - c[q][0]];
            m.rho += h[q];
            for (int d = 0; d < 2; d++)
                m.u[d] += c[q][d] * h[q];
        }
        m.u[0] /= m.rho, m.u[1] /= m.rho;
        for (int q = 0; q < Q; q++) {
            double cu = 3 * (c[q][0] * m.u[0] + c[q][1] * m.u[1]);
            double e = m.rho * w[q == 0 ? 0 : q < 5 ? 1 : 2] *
                       (1 + cu + 0.5 * cu * cu - 1.5 * (m.u[0] * m.u[0] + m.u[1] * m.u[1]));
            g[(q * n + y) * n + x] = h[q] + 0.6 * (e - h[q]);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = Q * n * n;
    double *f = NEW(double, all), *g = NEW(double, all), sum = 0;
    FILL(f, all, 1);
    FILL(g, all, 0);
#pragma acc enter data copyin(f[0:all], g[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        step(n, f, g);
#pragma acc update self(g[0:all])
    SUM(sum, g, all);
    report("lbm", t.best, sum);
    return 0;
}
