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
#elif SPELLING == 3
#define F(q, y, x) f[(q) * n * n + (y) * n + (x)]
#define G(q, y, x) g[(q) * n * n + (y) * n + (x)]
#define RELAX(fq, weight, cu) ((fq) + 0.6 * (rho * (weight) * (1 + 3 * (cu) + 4.5 * (cu) * (cu) - usq) - (fq)))
static void step(int n, const double *restrict f, double *restrict g)
{
#pragma acc parallel loop collapse(2) present(f[0:Q * n * n], g[0:Q * n * n])
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            const double f0 = F(0, y, x);
            const double f1 = F(1, y, x - 1), f2 = F(2, y - 1, x), f3 = F(3, y, x + 1), f4 = F(4, y + 1, x);
            const double f5 = F(5, y - 1, x - 1), f6 = F(6, y - 1, x + 1), f7 = F(7, y + 1, x + 1), f8 = F(8, y + 1, x - 1);
            const double rho = f0 + f1 + f2 + f3 + f4 + f5 + f6 + f7 + f8;
            const double u = (f1 + f5 + f8 - f3 - f6 - f7) / rho, v = (f2 + f5 + f6 - f4 - f7 - f8) / rho;
            const double usq = 1.5 * (u * u + v * v);
            G(0, y, x) = RELAX(f0, 4.0 / 9, 0.0);
            G(1, y, x) = RELAX(f1, 1.0 / 9, u);
            G(2, y, x) = RELAX(f2, 1.0 / 9, v);
            G(3, y, x) = RELAX(f3, 1.0 / 9, -u);
            G(4, y, x) = RELAX(f4, 1.0 / 9, -v);
            G(5, y, x) = RELAX(f5, 1.0 / 36, u + v);
            G(6, y, x) = RELAX(f6, 1.0 / 36, -u + v);
            G(7, y, x) = RELAX(f7, 1.0 / 36, -u - v);
            G(8, y, x) = RELAX(f8, 1.0 / 36, u - v);
        }
}
#elif SPELLING == 4
static const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const double wt[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
#pragma acc declare copyin(ex, ey, wt)
#pragma acc routine seq
static double feq(int q, double rho, double ux, double uy)
{
    double eu = ex[q] * ux + ey[q] * uy;
    return wt[q] * rho * (1.0 + 3.0 * eu + 4.5 * eu * eu - 1.5 * (ux * ux + uy * uy));
}
static void step(int n, double *pf, double *pg)
{
    double(*f)[n][n] = (double(*)[n][n])pf, (*g)[n][n] = (double(*)[n][n])pg;
#pragma acc parallel loop gang present(f[0:Q], g[0:Q])
    for (int j = 1; j <= n - 2; j++) {
#pragma acc loop vector
        for (int i = 1; i <= n - 2; i++) {
            double in[9], rho = 0, mx = 0, my = 0;
            for (int q = 0; q < 9; q++)
                in[q] = f[q][j - ey[q]][i - ex[q]];
            for (int q = 0; q < 9; q++) {
                rho += in[q];
                mx += ex[q] * in[q];
                my += ey[q] * in[q];
            }
            for (int q = 0; q < 9; q++)
                g[q][j][i] = 0.4 * in[q] + 0.6 * feq(q, rho, mx / rho, my / rho);
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
