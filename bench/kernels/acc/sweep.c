// A sweep of particle transport through 64 x 64 x 64 cells in 32 directions of one octant, double: diamond differences whose negative
// fluxes are set to zero, a launch for each diagonal plane of cells, and the sum over the directions.
#include "../kernels.h"

enum { SIDE = 64, ANGLES = 32 };

#if SPELLING == 1
static void sweep(int n, const double *restrict mu, const double *restrict eta, const double *restrict xi, const double *restrict weight,
                  const double *restrict source, const double *restrict sigma, double *restrict fx, double *restrict fy,
                  double *restrict fz, double *restrict flux)
{
    for (int plane = 0; plane <= 3 * (n - 1); plane++) {
#pragma acc parallel loop gang collapse(2) vector_length(32) async(1)                                                          \
    present(mu[0:ANGLES], eta[0:ANGLES], xi[0:ANGLES], weight[0:ANGLES], source[0:n * n * n], sigma[0:n * n * n],                 \
                fx[0:n * n * ANGLES], fy[0:n * n * ANGLES], fz[0:n * n * ANGLES], flux[0:n * n * n])
#pragma omp parallel for collapse(2)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                int i = plane - j - k;
                if (i < 0 || i >= n)
                    continue;
                int cell = (k * n + j) * n + i;
                double sum = 0;
#pragma acc loop vector reduction(+ : sum)
                for (int a = 0; a < ANGLES; a++) {
                    int ax = (k * n + j) * ANGLES + a, ay = (k * n + i) * ANGLES + a, az = (j * n + i) * ANGLES + a;
                    // one outside
                    double x = i ? fx[ax] : 1, y = j ? fy[ay] : 1, z = k ? fz[az] : 1;
                    double psi = (source[cell] + 2 * (mu[a] * x + eta[a] * y + xi[a] * z)) / (sigma[cell] + 2 * (mu[a] + eta[a] + xi[a]));
                    fx[ax] = fmax(2 * psi - x, 0.0);
                    fy[ay] = fmax(2 * psi - y, 0.0);
                    fz[az] = fmax(2 * psi - z, 0.0);
                    sum += weight[a] * psi;
                }
                flux[cell] = sum;
            }
    }
#pragma acc wait(1)
}
#else
typedef double beam[ANGLES];
struct cell { short i, j, k; };
struct quadrature { double mu, eta, xi, weight; };

static double through(double psi, double in)
{
    double out = 2 * psi - in;
    return out < 0 ? 0 : out;
}

// Cells in the order of their planes.
static void sweep(long n, const int *first, struct cell *cells, struct quadrature *q, double *source, double *sigma, beam (*fx)[n],
                  beam (*fy)[n], beam (*fz)[n], double *flux)
{
    long all = n * n * n;
#pragma acc data present(cells[0:all], q[0:ANGLES], source[0:all], sigma[0:all], fx[0:n], fy[0:n], fz[0:n], flux[0:all])
    for (long plane = 0; first[plane] < all; ++plane) {
        const long begin = first[plane], end = first[plane + 1];
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) async
#pragma omp parallel for
        for (long c = begin; c < end; ++c) {
            const struct cell at = cells[c];
            const long place = (at.k * n + at.j) * n + at.i;
            const double s = source[place], t = sigma[place];
            double total = 0;
#pragma acc loop vector reduction(+ : total)
            for (long a = 0; a < ANGLES; ++a) {
                double *x = &fx[at.k][at.j][a], *y = &fy[at.k][at.i][a], *z = &fz[at.j][at.i][a];
                double in[3] = {at.i > 0 ? *x : 1, at.j > 0 ? *y : 1, at.k > 0 ? *z : 1};
                struct quadrature d = q[a];
                double psi = s + 2 * d.mu * in[0] + 2 * d.eta * in[1] + 2 * d.xi * in[2];
                psi /= t + 2 * d.mu + 2 * d.eta + 2 * d.xi;
                *x = through(psi, in[0]);
                *y = through(psi, in[1]);
                *z = through(psi, in[2]);
                total += d.weight * psi;
            }
            flux[place] = total;
        }
    }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n, faces = n * n * ANGLES;
    double *mu = NEW(double, ANGLES), *eta = NEW(double, ANGLES), *xi = NEW(double, ANGLES), *weight = NEW(double, ANGLES),
           *source = NEW(double, all), *sigma = NEW(double, all), *fx = NEW(double, faces), *fy = NEW(double, faces),
           *fz = NEW(double, faces), *flux = NEW(double, all), sum = 0;
    for (int a = 0; a < ANGLES; a++) {
        double turn = 1.5707963 * (a % 8 + 0.5) / 8;
        xi[a] = (a / 8 + 0.5) / 4;
        mu[a] = sqrt(1 - xi[a] * xi[a]) * cos(turn);
        eta[a] = sqrt(1 - xi[a] * xi[a]) * sin(turn);
        weight[a] = 0.02 + 0.02 * number(a);
    }
    FILL(source, all, 1);
    for (int k = 0; k < all; k++)
        sigma[k] = 0.1 + 2 * number(k + 1);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(mu[0:ANGLES], eta[0:ANGLES], xi[0:ANGLES], weight[0:ANGLES], source[0:all], sigma[0:all]) \
    create(fx[0:faces], fy[0:faces], fz[0:faces], flux[0:all])
    while (lap(&t))
        sweep(n, mu, eta, xi, weight, source, sigma, fx, fy, fz, flux);
#else
    struct cell *cells = NEW(struct cell, all);
    struct quadrature *q = NEW(struct quadrature, ANGLES);
    int *first = NEW(int, 3 * n), many = 0;
    for (int plane = 0; plane <= 3 * n - 2; plane++) {
        first[plane] = many;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                if (plane - j - k >= 0 && plane - j - k < n)
                    cells[many++] = (struct cell){plane - j - k, j, k};
    }
    for (int a = 0; a < ANGLES; a++)
        q[a] = (struct quadrature){mu[a], eta[a], xi[a], weight[a]};
#pragma acc enter data copyin(cells[0:all], q[0:ANGLES], source[0:all], sigma[0:all]) create(fx[0:faces], fy[0:faces], fz[0:faces], flux[0:all])
    while (lap(&t))
        sweep(n, first, cells, q, source, sigma, (beam(*)[n])fx, (beam(*)[n])fy, (beam(*)[n])fz, flux);
#endif
#pragma acc update self(flux[0:all])
    SUM(sum, flux, all);
    report("sweep", t.best, sum);
    return 0;
}
