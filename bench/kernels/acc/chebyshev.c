// Implicit heat conduction on 2048 x 2048 cells, double: conductivities at the faces from densities, then ten steps of Chebyshev's iteration,
// two launches each.
#include "../kernels.h"

enum { SIDE = 2048, STEPS = 10 };
#define RATIO 4.0

#if SPELLING == 1
#define AT(j, k) ((k) * (n + 2) + (j))
static void conduct(int n, const double *restrict alpha, const double *restrict beta, const double *restrict density, const double *restrict u0,
                    double *restrict kx, double *restrict ky, double *restrict p, double *restrict u)
{
    int all = (n + 2) * (n + 2);
#pragma acc data present(density[0:all], u0[0:all], kx[0:all], ky[0:all], p[0:all], u[0:all])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int k = 1; k <= n + 1; k++)
            for (int j = 1; j <= n + 1; j++) {
                kx[AT(j, k)] = j == 1 || j == n + 1 ? 0 : RATIO * (density[AT(j - 1, k)] + density[AT(j, k)]) / (2 * density[AT(j - 1, k)] * density[AT(j, k)]);
                ky[AT(j, k)] = k == 1 || k == n + 1 ? 0 : RATIO * (density[AT(j, k - 1)] + density[AT(j, k)]) / (2 * density[AT(j, k - 1)] * density[AT(j, k)]);
                p[AT(j, k)] = 0;
                u[AT(j, k)] = u0[AT(j, k)];
            }
        for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
            for (int k = 1; k <= n; k++)
                for (int j = 1; j <= n; j++) {
                    double w = (1 + ky[AT(j, k + 1)] + ky[AT(j, k)] + kx[AT(j + 1, k)] + kx[AT(j, k)]) * u[AT(j, k)] -
                               (ky[AT(j, k + 1)] * u[AT(j, k + 1)] + ky[AT(j, k)] * u[AT(j, k - 1)]) -
                               (kx[AT(j + 1, k)] * u[AT(j + 1, k)] + kx[AT(j, k)] * u[AT(j - 1, k)]);
                    p[AT(j, k)] = alpha[step] * p[AT(j, k)] + beta[step] * (u0[AT(j, k)] - w);
                }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
            for (int k = 1; k <= n; k++)
                for (int j = 1; j <= n; j++)
                    u[AT(j, k)] += p[AT(j, k)];
        }
    }
}
#else
typedef struct { size_t n; double *density, *u0, *kx, *ky, *p, *u; } chunk;
#define ROW(a) double(*a)[c->n + 2] = (void *)c->a

static double face(double a, double b) { return RATIO * (a + b) / (2 * a * b); }

static void conduct(chunk *c, double *alpha, double *beta)
{
    const size_t n = c->n;
    ROW(density);
    ROW(u0);
    ROW(kx);
    ROW(ky);
    ROW(p);
    ROW(u);
#pragma acc kernels present(density[0:n + 2], u0[0:n + 2], kx[0:n + 2], ky[0:n + 2], p[0:n + 2], u[0:n + 2])
    {
#pragma acc loop independent
        for (size_t k = 1; k < n + 2; ++k)
#pragma acc loop independent
            for (size_t j = 2; j < n + 1; ++j)
                kx[k][j] = face(density[k][j - 1], density[k][j]);
#pragma acc loop independent
        for (size_t k = 2; k < n + 1; ++k)
#pragma acc loop independent
            for (size_t j = 1; j < n + 2; ++j)
                ky[k][j] = face(density[k - 1][j], density[k][j]);
#pragma acc loop independent
        for (size_t k = 1; k <= n; ++k) {
            kx[k][1] = kx[k][n + 1] = 0;
            ky[1][k] = ky[n + 1][k] = 0;
        }
#pragma acc loop independent
        for (size_t k = 1; k <= n; ++k)
#pragma acc loop independent
            for (size_t j = 1; j <= n; ++j) {
                p[k][j] = 0;
                u[k][j] = u0[k][j];
            }
    }
    for (int step = 0; step < STEPS; ++step) {
        const double a = alpha[step], b = beta[step];
#pragma acc kernels present(u0[0:n + 2], kx[0:n + 2], ky[0:n + 2], p[0:n + 2], u[0:n + 2])
        {
#pragma acc loop independent
#pragma omp parallel for
            for (size_t k = 1; k <= n; ++k)
#pragma acc loop independent
                for (size_t j = 1; j <= n; ++j) {
                    double diagonal = 1 + ky[k + 1][j] + ky[k][j] + kx[k][j + 1] + kx[k][j];
                    double w = diagonal * u[k][j] - ky[k + 1][j] * u[k + 1][j] - ky[k][j] * u[k - 1][j] - kx[k][j + 1] * u[k][j + 1] - kx[k][j] * u[k][j - 1];
                    p[k][j] = a * p[k][j] + b * (u0[k][j] - w);
                }
#pragma acc loop independent
#pragma omp parallel for
            for (size_t k = 1; k <= n; ++k)
#pragma acc loop independent
                for (size_t j = 1; j <= n; ++j)
                    u[k][j] = u[k][j] + p[k][j];
        }
    }
}
#endif

static void coefficients(double *alpha, double *beta)
{
    double least = 1, largest = 33, theta = (largest + least) / 2, delta = (largest - least) / 2, sigma = theta / delta, rho = 1 / sigma;
    alpha[0] = 0;
    beta[0] = 1 / theta;
    for (int k = 1; k < STEPS; k++) {
        double next = 1 / (2 * sigma - rho);
        alpha[k] = next * rho;
        beta[k] = 2 * next / delta;
        rho = next;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> args.shift, all = (n + 2) * (n + 2);
    double *density = NEW(double, all), *u0 = NEW(double, all), *kx = calloc(all, 8), *ky = calloc(all, 8), *p = calloc(all, 8), *u = calloc(all, 8);
    double alpha[STEPS], beta[STEPS], sum = 0;
    coefficients(alpha, beta);
    for (int k = 0; k < all; k++)
        density[k] = 1 + number(k);
    FILL(u0, all, 10);
#pragma acc enter data copyin(density[0:all], u0[0:all], kx[0:all], ky[0:all], p[0:all], u[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        conduct(n, alpha, beta, density, u0, kx, ky, p, u);
#else
        chunk c = {n, density, u0, kx, ky, p, u};
        conduct(&c, alpha, beta);
#endif
    }
#pragma acc update self(u[0:all])
    for (int k = 1; k <= n; k++)
        for (int j = 1; j <= n; j++)
            sum += u[k * (n + 2) + j] * (1 + j % 3);
    report("chebyshev", t.best, sum);
    return 0;
}
