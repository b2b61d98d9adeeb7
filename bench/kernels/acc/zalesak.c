// A step of a tracer in an ocean of 256 x 256 x 32 cells, double, by flux-corrected transport (Zalesak): fluxes from upstream and what they lack, bounds
// from the neighbours, and as much of what lacks as stays within them.
#include "../kernels.h"

enum { LENGTH = 256, DEPTH = 32 };
#define SMALL 1e-15

#if SPELLING == 1
// A cell's flux is that through the face towards its next; cells at the border are land.
static void transport(int nx, int ny, int nz, const double *restrict t, const double *restrict u, const double *restrict v, const double *restrict w,
                      double *restrict fx, double *restrict fy, double *restrict fz, double *restrict up, double *restrict most, double *restrict least,
                      double *restrict in, double *restrict out, double *restrict next)
{
    int dy = nx, dz = nx * ny, all = nx * ny * nz;
#pragma acc kernels present(t[0:all], u[0:all], v[0:all], w[0:all], fx[0:all], fy[0:all], fz[0:all], up[0:all], most[0:all], least[0:all], in[0:all], \
                                out[0:all], next[0:all])
    {
        // Upstream.
#pragma omp parallel for
        for (int k = 0; k < nz - 1; k++)
            for (int j = 0; j < ny - 1; j++)
                for (int i = 0; i < nx - 1; i++) {
                    int at = k * dz + j * dy + i;
                    fx[at] = fmax(u[at], 0.0) * t[at] + fmin(u[at], 0.0) * t[at + 1];
                    fy[at] = fmax(v[at], 0.0) * t[at] + fmin(v[at], 0.0) * t[at + dy];
                    fz[at] = fmax(w[at], 0.0) * t[at] + fmin(w[at], 0.0) * t[at + dz];
                }
#pragma omp parallel for
        for (int k = 0; k < nz; k++)
            for (int j = 0; j < ny; j++)
                for (int i = 0; i < nx; i++)
                    up[k * dz + j * dy + i] = t[k * dz + j * dy + i];
#pragma omp parallel for
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++) {
                    int at = k * dz + j * dy + i;
                    up[at] -= fx[at] - fx[at - 1] + fy[at] - fy[at - dy] + fz[at] - fz[at - dz];
                }

        // What lacks to centred fluxes.
#pragma omp parallel for
        for (int k = 0; k < nz - 1; k++)
            for (int j = 0; j < ny - 1; j++)
                for (int i = 0; i < nx - 1; i++) {
                    int at = k * dz + j * dy + i;
                    fx[at] = 0.5 * u[at] * (t[at] + t[at + 1]) - fx[at];
                    fy[at] = 0.5 * v[at] * (t[at] + t[at + dy]) - fy[at];
                    fz[at] = 0.5 * w[at] * (t[at] + t[at + dz]) - fz[at];
                }

        // Bounds, and which shares of what comes in and goes out keep them.
#pragma omp parallel for
        for (int k = 0; k < nz; k++)
            for (int j = 0; j < ny; j++)
                for (int i = 0; i < nx; i++) {
                    int at = k * dz + j * dy + i;
                    most[at] = fmax(t[at], up[at]);
                    least[at] = fmin(t[at], up[at]);
                }
#pragma omp parallel for
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++) {
                    int at = k * dz + j * dy + i;
                    double high = fmax(most[at], fmax(fmax(most[at - 1], most[at + 1]),
                                                      fmax(fmax(most[at - dy], most[at + dy]), fmax(most[at - dz], most[at + dz]))));
                    double low = fmin(least[at], fmin(fmin(least[at - 1], least[at + 1]),
                                                      fmin(fmin(least[at - dy], least[at + dy]), fmin(least[at - dz], least[at + dz]))));
                    double comes = fmax(0.0, fx[at - 1]) - fmin(0.0, fx[at]) + fmax(0.0, fy[at - dy]) - fmin(0.0, fy[at]) + fmax(0.0, fz[at - dz]) -
                                   fmin(0.0, fz[at]);
                    double goes = fmax(0.0, fx[at]) - fmin(0.0, fx[at - 1]) + fmax(0.0, fy[at]) - fmin(0.0, fy[at - dy]) + fmax(0.0, fz[at]) -
                                  fmin(0.0, fz[at - dz]);
                    in[at] = (high - up[at]) / (comes + SMALL);
                    out[at] = (up[at] - low) / (goes + SMALL);
                }

        // The limits.
#pragma omp parallel for
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 2; i++) {
                    int at = k * dz + j * dy + i;
                    fx[at] *= fx[at] > 0 ? fmin(1.0, fmin(out[at], in[at + 1])) : fmin(1.0, fmin(in[at], out[at + 1]));
                }
#pragma omp parallel for
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 2; j++)
                for (int i = 1; i < nx - 1; i++) {
                    int at = k * dz + j * dy + i;
                    fy[at] *= fy[at] > 0 ? fmin(1.0, fmin(out[at], in[at + dy])) : fmin(1.0, fmin(in[at], out[at + dy]));
                }
#pragma omp parallel for
        for (int k = 1; k < nz - 2; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++) {
                    int at = k * dz + j * dy + i;
                    fz[at] *= fz[at] > 0 ? fmin(1.0, fmin(out[at], in[at + dz])) : fmin(1.0, fmin(in[at], out[at + dz]));
                }
#pragma omp parallel for
        for (int k = 1; k < nz - 1; k++)
            for (int j = 1; j < ny - 1; j++)
                for (int i = 1; i < nx - 1; i++) {
                    int at = k * dz + j * dy + i;
                    next[at] = up[at] - (fx[at] - fx[at - 1] + fy[at] - fy[at - dy] + fz[at] - fz[at - dz]);
                }
    }
}
#else
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define PLUS(a) LARGER(a, 0)
#define MINUS(a) SMALLER(a, 0)

#pragma acc routine seq
static double upstream(double speed, double here, double there) { return speed > 0 ? speed * here : speed * there; }

// Centred less upstream.
#pragma acc routine seq
static double lacking(double speed, double here, double there) { return 0.5 * fabs(speed) * (there - here); }

#pragma acc routine seq
static double limited(double flux, double in, double out, double in_next, double out_next)
{
    double share = flux > 0 ? SMALLER(out, in_next) : SMALLER(in, out_next);
    return share < 1 ? share * flux : flux;
}

static void transport(size_t nx, size_t ny, size_t nz, double (*t)[ny][nx], double (*u)[ny][nx], double (*v)[ny][nx], double (*w)[ny][nx],
                      double (*up)[ny][nx], double (*in)[ny][nx], double (*out)[ny][nx], double (*next)[ny][nx])
{
#pragma acc data present(t[0:nz], u[0:nz], v[0:nz], w[0:nz], up[0:nz], in[0:nz], out[0:nz], next[0:nz])
    {
#pragma acc parallel loop collapse(3) async(1)
#pragma omp parallel for collapse(2)
        for (size_t k = 0; k < nz; ++k)
            for (size_t j = 0; j < ny; ++j)
                for (size_t i = 0; i < nx; ++i) {
                    double here = t[k][j][i];
                    if (i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1)
                        here -= upstream(u[k][j][i], t[k][j][i], t[k][j][i + 1]) - upstream(u[k][j][i - 1], t[k][j][i - 1], t[k][j][i]) +
                                upstream(v[k][j][i], t[k][j][i], t[k][j + 1][i]) - upstream(v[k][j - 1][i], t[k][j - 1][i], t[k][j][i]) +
                                upstream(w[k][j][i], t[k][j][i], t[k + 1][j][i]) - upstream(w[k - 1][j][i], t[k - 1][j][i], t[k][j][i]);
                    up[k][j][i] = here;
                }
#pragma acc parallel loop gang collapse(2) async(1)
#pragma omp parallel for collapse(2)
        for (size_t k = 1; k < nz - 1; ++k)
            for (size_t j = 1; j < ny - 1; ++j) {
#pragma acc loop vector
#pragma omp simd
                for (size_t i = 1; i < nx - 1; ++i) {
                    double now[7] = {t[k][j][i], t[k][j][i - 1], t[k][j][i + 1], t[k][j - 1][i], t[k][j + 1][i], t[k - 1][j][i], t[k + 1][j][i]};
                    double then[7] = {up[k][j][i], up[k][j][i - 1], up[k][j][i + 1], up[k][j - 1][i], up[k][j + 1][i], up[k - 1][j][i], up[k + 1][j][i]};
                    double high = LARGER(now[0], then[0]), low = SMALLER(now[0], then[0]);
                    for (int s = 1; s < 7; ++s) {
                        high = LARGER(high, LARGER(now[s], then[s]));
                        low = SMALLER(low, SMALLER(now[s], then[s]));
                    }
                    double west = lacking(u[k][j][i - 1], now[1], now[0]), east = lacking(u[k][j][i], now[0], now[2]);
                    double south = lacking(v[k][j - 1][i], now[3], now[0]), north = lacking(v[k][j][i], now[0], now[4]);
                    double above = lacking(w[k - 1][j][i], now[5], now[0]), below = lacking(w[k][j][i], now[0], now[6]);
                    double comes = PLUS(west) - MINUS(east) + PLUS(south) - MINUS(north) + PLUS(above) - MINUS(below);
                    double goes = PLUS(east) - MINUS(west) + PLUS(north) - MINUS(south) + PLUS(below) - MINUS(above);
                    in[k][j][i] = (high - then[0]) / (comes + SMALL);
                    out[k][j][i] = (then[0] - low) / (goes + SMALL);
                }
            }
#define LIMITED(speed, k, j, i, K, J, I) \
    limited(lacking(speed[k][j][i], t[k][j][i], t[K][J][I]), in[k][j][i], out[k][j][i], in[K][J][I], out[K][J][I])
#pragma acc parallel loop gang collapse(2) async(1)
#pragma omp parallel for collapse(2)
        for (size_t k = 1; k < nz - 1; ++k)
            for (size_t j = 1; j < ny - 1; ++j) {
#pragma acc loop vector
#pragma omp simd
                for (size_t i = 1; i < nx - 1; ++i)
                    next[k][j][i] = up[k][j][i] - (LIMITED(u, k, j, i, k, j, i + 1) - LIMITED(u, k, j, i - 1, k, j, i) + LIMITED(v, k, j, i, k, j + 1, i) -
                                                   LIMITED(v, k, j - 1, i, k, j, i) + LIMITED(w, k, j, i, k + 1, j, i) - LIMITED(w, k - 1, j, i, k, j, i));
            }
    }
#pragma acc wait(1)
}
#endif

static void ocean(int nx, int ny, int nz, double *t, double *u, double *v, double *w)
{
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                int at = (k * ny + j) * nx + i, wet = i > 0 && i < nx - 1 && j > 0 && j < ny - 1 && k > 0 && k < nz - 1;
                t[at] = 4 + (i / 8 + j / 8 + k / 4) % 3 * 5 + number(at);
                u[at] = wet && i < nx - 2 ? 0.3 * (number(at + 11) - 0.4) : 0;
                v[at] = wet && j < ny - 2 ? 0.3 * (number(at + 12) - 0.5) : 0;
                w[at] = wet && k < nz - 2 ? 0.2 * (number(at + 13) - 0.6) : 0;
            }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nx = LENGTH >> args.shift / 2, ny = LENGTH >> (args.shift + 1) / 2, nz = DEPTH, all = nx * ny * nz;
    double *t = NEW(double, all), *u = NEW(double, all), *v = NEW(double, all), *w = NEW(double, all), *up = NEW(double, all), *in = NEW(double, all),
           *out = NEW(double, all), *next = NEW(double, all), sum = 0;
    ocean(nx, ny, nz, t, u, v, w);
    FILL(next, all, 0);
    FILL(in, all, 0);
    FILL(out, all, 0);
#pragma acc enter data copyin(t[0:all], u[0:all], v[0:all], w[0:all], in[0:all], out[0:all], next[0:all]) create(up[0:all])
#if SPELLING == 1
    double *fx = NEW(double, all), *fy = NEW(double, all), *fz = NEW(double, all), *most = NEW(double, all), *least = NEW(double, all);
#pragma acc enter data create(fx[0:all], fy[0:all], fz[0:all], most[0:all], least[0:all])
#endif
    struct watch watched = watch(args.repeats);
    while (lap(&watched)) {
#if SPELLING == 1
        transport(nx, ny, nz, t, u, v, w, fx, fy, fz, up, most, least, in, out, next);
#else
        transport(nx, ny, nz, (void *)t, (void *)u, (void *)v, (void *)w, (void *)up, (void *)in, (void *)out, (void *)next);
#endif
    }
#pragma acc update self(next[0:all])
    for (int k = 0; k < all; k++)
        sum += next[k] * (1 + k % 5);
    report("zalesak", watched.best, sum);
    return 0;
}
