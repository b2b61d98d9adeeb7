// A step of the shallow-water equations on a periodic staggered grid of 2048 x 2048 doubles: mass fluxes, potential vorticity and height,
// the new velocities and pressure by leap-frog, and the filter in time; edges are copied after the first two.
#include "../kernels.h"

enum { SIDE = 2048 };

#define DX 1e5
#define DT 90.0
#define ALPHA 0.001

#if SPELLING == 1
#define AT(i, j) ((i) * (n + 1) + (j))
static void step(int n, double *restrict u, double *restrict v, double *restrict p, double *restrict uold, double *restrict vold,
                 double *restrict pold, double *restrict unew, double *restrict vnew, double *restrict pnew, double *restrict cu,
                 double *restrict cv, double *restrict z, double *restrict h)
{
    int all = (n + 1) * (n + 1);
#pragma acc data present(u[0:all], v[0:all], p[0:all], uold[0:all], vold[0:all], pold[0:all], unew[0:all], vnew[0:all], pnew[0:all], \
                         cu[0:all], cv[0:all], z[0:all], h[0:all])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                cu[AT(i + 1, j)] = 0.5 * (p[AT(i + 1, j)] + p[AT(i, j)]) * u[AT(i + 1, j)];
                cv[AT(i, j + 1)] = 0.5 * (p[AT(i, j + 1)] + p[AT(i, j)]) * v[AT(i, j + 1)];
                z[AT(i + 1, j + 1)] = 4 / DX * (v[AT(i + 1, j + 1)] - v[AT(i, j + 1)] - u[AT(i + 1, j + 1)] + u[AT(i + 1, j)]) /
                                      (p[AT(i, j)] + p[AT(i + 1, j)] + p[AT(i + 1, j + 1)] + p[AT(i, j + 1)]);
                h[AT(i, j)] = p[AT(i, j)] + 0.25 * (u[AT(i + 1, j)] * u[AT(i + 1, j)] + u[AT(i, j)] * u[AT(i, j)] +
                                                    v[AT(i, j + 1)] * v[AT(i, j + 1)] + v[AT(i, j)] * v[AT(i, j)]);
            }
#pragma acc parallel loop
        for (int k = 0; k < n; k++) {
            cu[AT(0, k)] = cu[AT(n, k)];
            cv[AT(n, k + 1)] = cv[AT(0, k + 1)];
            z[AT(0, k + 1)] = z[AT(n, k + 1)];
            h[AT(n, k)] = h[AT(0, k)];
            cu[AT(k + 1, n)] = cu[AT(k + 1, 0)];
            cv[AT(k, 0)] = cv[AT(k, n)];
            z[AT(k + 1, 0)] = z[AT(k + 1, n)];
            h[AT(k, n)] = h[AT(k, 0)];
        }
#pragma acc serial
        {
            cu[AT(0, n)] = cu[AT(n, 0)];
            cv[AT(n, 0)] = cv[AT(0, n)];
            z[AT(0, 0)] = z[AT(n, n)];
            h[AT(n, n)] = h[AT(0, 0)];
        }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                unew[AT(i + 1, j)] = uold[AT(i + 1, j)] +
                                     DT / 8 * (z[AT(i + 1, j + 1)] + z[AT(i + 1, j)]) *
                                         (cv[AT(i + 1, j + 1)] + cv[AT(i, j + 1)] + cv[AT(i, j)] + cv[AT(i + 1, j)]) -
                                     DT / DX * (h[AT(i + 1, j)] - h[AT(i, j)]);
                vnew[AT(i, j + 1)] = vold[AT(i, j + 1)] -
                                     DT / 8 * (z[AT(i + 1, j + 1)] + z[AT(i, j + 1)]) *
                                         (cu[AT(i + 1, j + 1)] + cu[AT(i + 1, j)] + cu[AT(i, j)] + cu[AT(i, j + 1)]) -
                                     DT / DX * (h[AT(i, j + 1)] - h[AT(i, j)]);
                pnew[AT(i, j)] = pold[AT(i, j)] - DT / DX * (cu[AT(i + 1, j)] - cu[AT(i, j)] + cv[AT(i, j + 1)] - cv[AT(i, j)]);
            }
#pragma acc parallel loop
        for (int k = 0; k < n; k++) {
            unew[AT(0, k)] = unew[AT(n, k)];
            vnew[AT(n, k + 1)] = vnew[AT(0, k + 1)];
            pnew[AT(n, k)] = pnew[AT(0, k)];
            unew[AT(k + 1, n)] = unew[AT(k + 1, 0)];
            vnew[AT(k, 0)] = vnew[AT(k, n)];
            pnew[AT(k, n)] = pnew[AT(k, 0)];
        }
#pragma acc serial
        {
            unew[AT(0, n)] = unew[AT(n, 0)];
            vnew[AT(n, 0)] = vnew[AT(0, n)];
            pnew[AT(n, n)] = pnew[AT(0, 0)];
        }
#pragma acc parallel loop
#pragma omp parallel for simd
        for (int k = 0; k < all; k++) {
            uold[k] = u[k] + ALPHA * (unew[k] - 2 * u[k] + uold[k]);
            vold[k] = v[k] + ALPHA * (vnew[k] - 2 * v[k] + vold[k]);
            pold[k] = p[k] + ALPHA * (pnew[k] - 2 * p[k] + pold[k]);
            u[k] = unew[k];
            v[k] = vnew[k];
            p[k] = pnew[k];
        }
    }
}
#else
// Copies: u has its first row from the last, v its first column from the last, p both the other way.
#define WRAP_U(a) a[0][k] = a[n][k], a[k + 1][n] = a[k + 1][0]
#define WRAP_V(a) a[n][k + 1] = a[0][k + 1], a[k][0] = a[k][n]
#define WRAP_P(a) a[n][k] = a[0][k], a[k][n] = a[k][0]
#define WRAP_Z(a) a[0][k + 1] = a[n][k + 1], a[k + 1][0] = a[k + 1][n]

static inline double mean4(double a, double b, double c, double d) { return 0.25 * (a + b + c + d); }
static inline double filtered(double old, double now, double next) { return now + ALPHA * (next - 2 * now + old); }

static void step(long n, double *u_, double *v_, double *p_, double *uold_, double *vold_, double *pold_, double *unew_, double *vnew_,
                 double *pnew_, double *cu_, double *cv_, double *z_, double *h_)
{
    typedef double row[n + 1];
    row *u = (row *)u_, *v = (row *)v_, *p = (row *)p_, *uold = (row *)uold_, *vold = (row *)vold_, *pold = (row *)pold_;
    row *unew = (row *)unew_, *vnew = (row *)vnew_, *pnew = (row *)pnew_, *cu = (row *)cu_, *cv = (row *)cv_, *z = (row *)z_, *h = (row *)h_;
#pragma acc kernels present(u[0:n + 1], v[0:n + 1], p[0:n + 1], cu[0:n + 1], cv[0:n + 1], z[0:n + 1], h[0:n + 1])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
#pragma acc loop independent
            for (long j = 0; j < n; ++j) {
                double here = p[i][j], right = p[i][j + 1], below = p[i + 1][j];
                cu[i + 1][j] = (below + here) / 2 * u[i + 1][j];
                cv[i][j + 1] = (right + here) / 2 * v[i][j + 1];
                z[i + 1][j + 1] = (v[i + 1][j + 1] - v[i][j + 1] - (u[i + 1][j + 1] - u[i + 1][j])) / DX /
                                  mean4(here, below, p[i + 1][j + 1], right);
                h[i][j] = here + mean4(u[i + 1][j] * u[i + 1][j], u[i][j] * u[i][j], v[i][j + 1] * v[i][j + 1], v[i][j] * v[i][j]);
            }
#pragma acc loop independent
        for (long k = 0; k < n; ++k)
            WRAP_U(cu), WRAP_V(cv), WRAP_Z(z), WRAP_P(h);
        cu[0][n] = cu[n][0];
        cv[n][0] = cv[0][n];
        z[0][0] = z[n][n];
        h[n][n] = h[0][0];
    }
#pragma acc kernels present(uold[0:n + 1], vold[0:n + 1], pold[0:n + 1], unew[0:n + 1], vnew[0:n + 1], pnew[0:n + 1], cu[0:n + 1], \
                            cv[0:n + 1], z[0:n + 1], h[0:n + 1])
    {
#pragma acc loop independent gang
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
#pragma acc loop independent vector(128)
            for (long j = 0; j < n; ++j) {
                unew[i + 1][j] = uold[i + 1][j] - DT / DX * (h[i + 1][j] - h[i][j]);
                unew[i + 1][j] += DT / 2 * (z[i + 1][j + 1] + z[i + 1][j]) * mean4(cv[i + 1][j + 1], cv[i][j + 1], cv[i][j], cv[i + 1][j]);
                vnew[i][j + 1] = vold[i][j + 1] - DT / DX * (h[i][j + 1] - h[i][j]);
                vnew[i][j + 1] -= DT / 2 * (z[i + 1][j + 1] + z[i][j + 1]) * mean4(cu[i + 1][j + 1], cu[i + 1][j], cu[i][j], cu[i][j + 1]);
                pnew[i][j] = pold[i][j] - DT / DX * (cu[i + 1][j] - cu[i][j] + cv[i][j + 1] - cv[i][j]);
            }
#pragma acc loop independent
        for (long k = 0; k < n; ++k)
            WRAP_U(unew), WRAP_V(vnew), WRAP_P(pnew);
        unew[0][n] = unew[n][0];
        vnew[n][0] = vnew[0][n];
        pnew[n][n] = pnew[0][0];
    }
#pragma acc parallel loop gang present(u[0:n + 1], v[0:n + 1], p[0:n + 1], uold[0:n + 1], vold[0:n + 1], pold[0:n + 1], unew[0:n + 1], \
                                           vnew[0:n + 1], pnew[0:n + 1])
#pragma omp parallel for
    for (long i = 0; i <= n; ++i)
#pragma acc loop vector
        for (long j = 0; j <= n; ++j) {
            uold[i][j] = filtered(uold[i][j], u[i][j], unew[i][j]);
            vold[i][j] = filtered(vold[i][j], v[i][j], vnew[i][j]);
            pold[i][j] = filtered(pold[i][j], p[i][j], pnew[i][j]);
            u[i][j] = unew[i][j];
            v[i][j] = vnew[i][j];
            p[i][j] = pnew[i][j];
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, w = n + 1, all = w * w;
    double *a[13], turn = 6.283185307179586 / n, *psi = NEW(double, 4 * w), sum = 0;
    for (int k = 0; k < 13; k++) {
        a[k] = NEW(double, all);
        FILL(a[k], all, 0);
    }
    for (int k = 0; k < w; k++) {
        psi[k] = sin((k + 0.5) * turn);
        psi[k + w] = sin((k - 0.5) * turn);
        psi[k + 2 * w] = cos(2 * k * turn);
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < w; j++) {
            a[0][i * w + j] = a[3][i * w + j] = -1e8 / DX * 2048 / n * psi[i] * (psi[j] - psi[j + w]);
            a[1][i * w + j] = a[4][i * w + j] = 1e8 / DX * 2048 / n * psi[j] * (psi[i] - psi[i + w]);
            a[2][i * w + j] = a[5][i * w + j] = 50000 + 2 * (psi[i + 2 * w] + psi[j + 2 * w]);
        }
    double *u = a[0], *v = a[1], *p = a[2], *uold = a[3], *vold = a[4], *pold = a[5], *unew = a[6], *vnew = a[7], *pnew = a[8], *cu = a[9],
           *cv = a[10], *z = a[11], *h = a[12];
#pragma acc enter data copyin(u[0:all], v[0:all], p[0:all], uold[0:all], vold[0:all], pold[0:all], unew[0:all], vnew[0:all], pnew[0:all], \
                              cu[0:all], cv[0:all], z[0:all], h[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        step(n, u, v, p, uold, vold, pold, unew, vnew, pnew, cu, cv, z, h);
#pragma acc update self(u[0:all], v[0:all], p[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(u[k]) + fabs(v[k]) + fabs(p[k] - 50000);
    report("shallow", t.best, sum);
    return 0;
}
