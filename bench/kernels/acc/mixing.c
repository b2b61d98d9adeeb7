// Vertical mixing in 512 x 256 columns of an ocean of up to 40 layers, double: viscosity and diffusivity from stratification and shear
// (Pacanowski and Philander), then an implicit step of two velocities, temperature and salt, a tridiagonal system each.
#include "../kernels.h"

enum { EAST = 512, NORTH = 256, LAYERS = 40 };

#define GRAVITY 9.81
#define WATER 1026.0
#define TIME_STEP 3600.0
#define DRAG 1.3e-3

#if SPELLING == 1
static inline double density(double t, double s)
{
    double d = t - 10, e = s - 35;
    return WATER - 0.167 * d - 0.0048 * d * d + 0.78 * e - 0.002 * d * e;
}

// Layer k of column i is at k * columns + i; dz are thicknesses, bottom is the number of layers, none on land.
static void mix_columns(int columns, const int *restrict bottom, const double *restrict dz, const double *restrict u, const double *restrict v,
                        const double *restrict t, const double *restrict s, const double *restrict wind_u, const double *restrict wind_v,
                        const double *restrict heat, const double *restrict rain, double *restrict un, double *restrict vn,
                        double *restrict tn, double *restrict sn)
{
    int all = LAYERS * columns;
#pragma acc parallel loop gang vector vector_length(128) present(bottom[0:columns], dz[0:LAYERS], u[0:all], v[0:all], t[0:all], s[0:all])  \
    present(wind_u[0:columns], wind_v[0:columns], heat[0:columns], rain[0:columns], un[0:all], vn[0:all], tn[0:all], sn[0:all])
#pragma omp parallel for
    for (int i = 0; i < columns; i++) {
        double viscosity[LAYERS], diffusivity[LAYERS], cm[LAYERS], ct[LAYERS];
        int last = bottom[i] - 1;
        for (int k = 0; k < last; k++) {
            int here = k * columns + i, below = here + columns;
            double w = 0.5 * (dz[k] + dz[k + 1]);
            double du = u[here] - u[below], dv = v[here] - v[below];
            double n2 = GRAVITY / WATER * (density(t[below], s[below]) - density(t[here], s[here])) / w;
            double s2 = (du * du + dv * dv) / (w * w) + 1e-10;
            double ri = n2 / s2;
            if (ri < 0) {
                viscosity[k] = 1e-2;
                diffusivity[k] = 5e-2;
            } else {
                double f = 1 / (1 + 5 * ri);
                viscosity[k] = 5e-3 * f * f + 1e-4;
                diffusivity[k] = viscosity[k] * f + 1e-5;
            }
        }
        for (int k = 0; k <= last; k++) {
            int here = k * columns + i, above = here - columns;
            double am = 0, at = 0, em = 0, et = 0;
            if (k > 0) {
                double w = TIME_STEP / (dz[k] * 0.5 * (dz[k - 1] + dz[k]));
                am = w * viscosity[k - 1];
                at = w * diffusivity[k - 1];
            }
            if (k < last) {
                double w = TIME_STEP / (dz[k] * 0.5 * (dz[k] + dz[k + 1]));
                em = w * viscosity[k];
                et = w * diffusivity[k];
            }
            double bm = 1 + am + em, bt = 1 + at + et;
            double ru = u[here], rv = v[here], rt = t[here], rs = s[here];
            if (k == 0) {
                ru += TIME_STEP / dz[0] * wind_u[i] / WATER;
                rv += TIME_STEP / dz[0] * wind_v[i] / WATER;
                rt += TIME_STEP / dz[0] * heat[i] / (WATER * 3990);
                rs -= TIME_STEP / dz[0] * rain[i] * 35;
            }
            if (k == last)
                bm += TIME_STEP / dz[k] * DRAG * sqrt(u[here] * u[here] + v[here] * v[here]);
            if (k > 0) {
                bm -= am * cm[k - 1];
                bt -= at * ct[k - 1];
                ru += am * un[above];
                rv += am * vn[above];
                rt += at * tn[above];
                rs += at * sn[above];
            }
            cm[k] = em / bm;
            ct[k] = et / bt;
            un[here] = ru / bm;
            vn[here] = rv / bm;
            tn[here] = rt / bt;
            sn[here] = rs / bt;
        }
        for (int k = last - 1; k >= 0; k--) {
            int here = k * columns + i, below = here + columns;
            un[here] += cm[k] * un[below];
            vn[here] += cm[k] * vn[below];
            tn[here] += ct[k] * tn[below];
            sn[here] += ct[k] * sn[below];
        }
        for (int k = last + 1; k < LAYERS; k++) {
            int here = k * columns + i;
            un[here] = vn[here] = tn[here] = sn[here] = 0;
        }
    }
}
#else
#define SQUARE(x) ((x) * (x))
#define DENSITY(t, s) (WATER - 0.167 * ((t) - 10) - 0.0048 * SQUARE((t) - 10) + 0.78 * ((s) - 35) - 0.002 * ((t) - 10) * ((s) - 35))

// Solves -a[k] x[k-1] + b[k] x[k] - c[k] x[k+1] = x[k] in place.
#pragma acc routine seq
static void tridiagonal(size_t n, const double *a, const double *b, const double *c, double *x)
{
    double g[LAYERS];
    double pivot = b[0];
    x[0] /= pivot;
    for (size_t k = 1; k < n; ++k) {
        g[k] = c[k - 1] / pivot;
        pivot = b[k] - a[k] * g[k];
        x[k] = (x[k] + a[k] * x[k - 1]) / pivot;
    }
    for (size_t k = n - 1; k > 0; --k)
        x[k - 1] += g[k] * x[k];
}

static void mix_columns(size_t ny, size_t nx, int bottom[ny][nx], double dz[LAYERS], double u[LAYERS][ny][nx], double v[LAYERS][ny][nx],
                        double t[LAYERS][ny][nx], double s[LAYERS][ny][nx], double wind[2][ny][nx], double heat[ny][nx], double rain[ny][nx],
                        double un[LAYERS][ny][nx], double vn[LAYERS][ny][nx], double tn[LAYERS][ny][nx], double sn[LAYERS][ny][nx])
{
#pragma acc kernels present(bottom[0:ny][0:nx], dz[0:LAYERS], u[0:LAYERS][0:ny][0:nx], v[0:LAYERS][0:ny][0:nx])                             \
    present(t[0:LAYERS][0:ny][0:nx], s[0:LAYERS][0:ny][0:nx], wind[0:2][0:ny][0:nx], heat[0:ny][0:nx], rain[0:ny][0:nx])                    \
    present(un[0:LAYERS][0:ny][0:nx], vn[0:LAYERS][0:ny][0:nx], tn[0:LAYERS][0:ny][0:nx], sn[0:LAYERS][0:ny][0:nx])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t j = 0; j < ny; ++j) {
#pragma acc loop independent
            for (size_t i = 0; i < nx; ++i) {
                size_t n = (size_t)bottom[j][i];
                double am[LAYERS], bm[LAYERS], cm[LAYERS], at[LAYERS], bt[LAYERS], ct[LAYERS];
                double cu[LAYERS], cv[LAYERS], ctemp[LAYERS], csalt[LAYERS];
                for (size_t k = 0; k < LAYERS; ++k) {
                    am[k] = cm[k] = at[k] = ct[k] = 0.0;
                    cu[k] = k < n ? u[k][j][i] : 0.0;
                    cv[k] = k < n ? v[k][j][i] : 0.0;
                    ctemp[k] = k < n ? t[k][j][i] : 0.0;
                    csalt[k] = k < n ? s[k][j][i] : 0.0;
                }
                if (n > 0) {
                    for (size_t k = 1; k < n; ++k) {
                        double w = (dz[k - 1] + dz[k]) / 2, visc = 1e-2, diff = 5e-2;
                        double rise = DENSITY(ctemp[k], csalt[k]) - DENSITY(ctemp[k - 1], csalt[k - 1]);
                        double shear = (SQUARE(cu[k - 1] - cu[k]) + SQUARE(cv[k - 1] - cv[k])) / SQUARE(w) + 1e-10;
                        double richardson = GRAVITY / WATER * rise / w / shear;
                        if (richardson >= 0.0) {
                            double f = 1.0 / (1.0 + 5.0 * richardson);
                            visc = 5e-3 * SQUARE(f) + 1e-4;
                            diff = visc * f + 1e-5;
                        }
                        cm[k - 1] = TIME_STEP * visc / (w * dz[k - 1]);
                        ct[k - 1] = TIME_STEP * diff / (w * dz[k - 1]);
                        am[k] = TIME_STEP * visc / (w * dz[k]);
                        at[k] = TIME_STEP * diff / (w * dz[k]);
                    }
                    for (size_t k = 0; k < n; ++k) {
                        bm[k] = 1.0 + am[k] + cm[k];
                        bt[k] = 1.0 + at[k] + ct[k];
                    }
                    bm[n - 1] += TIME_STEP / dz[n - 1] * DRAG * sqrt(SQUARE(cu[n - 1]) + SQUARE(cv[n - 1]));
                    cu[0] += TIME_STEP / dz[0] * wind[0][j][i] / WATER;
                    cv[0] += TIME_STEP / dz[0] * wind[1][j][i] / WATER;
                    ctemp[0] += TIME_STEP / dz[0] * heat[j][i] / (WATER * 3990.0);
                    csalt[0] -= TIME_STEP / dz[0] * rain[j][i] * 35.0;
                    tridiagonal(n, am, bm, cm, cu);
                    tridiagonal(n, am, bm, cm, cv);
                    tridiagonal(n, at, bt, ct, ctemp);
                    tridiagonal(n, at, bt, ct, csalt);
                }
                for (size_t k = 0; k < LAYERS; ++k) {
                    un[k][j][i] = cu[k];
                    vn[k][j][i] = cv[k];
                    tn[k][j][i] = ctemp[k];
                    sn[k][j][i] = csalt[k];
                }
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int nx = EAST >> (args.shift + 1) / 2, ny = NORTH >> args.shift / 2, columns = nx * ny, all = LAYERS * columns;
    int *bottom = NEW(int, columns);
    double *dz = NEW(double, LAYERS), *wind = NEW(double, 2 * columns), *heat = NEW(double, columns), *rain = NEW(double, columns);
    double *u = NEW(double, all), *v = NEW(double, all), *t = NEW(double, all), *s = NEW(double, all);
    double *un = NEW(double, all), *vn = NEW(double, all), *tn = NEW(double, all), *sn = NEW(double, all), depth = 0, sum = 0;
    for (int i = 0; i < columns; i++) {
        double hill = sin(6.3 * (i % nx) / nx) * cos(4.7 * (i / nx) / ny);
        bottom[i] = hill > 0.8 ? 0 : hill > 0.2 ? LAYERS - (int)(50 * (hill - 0.2)) : LAYERS;
        wind[i] = 0.3 * (number(i) - 0.3);
        wind[columns + i] = 0.2 * (number(i + columns) - 0.5);
        heat[i] = 400 * (number(i + 7) - 0.5);
        rain[i] = 2e-7 * (number(i + 11) - 0.5);
    }
    for (int k = 0; k < LAYERS; k++) {
        dz[k] = 5 + 0.12 * k * k;
        for (int i = 0; i < columns; i++) {
            int e = k * columns + i;
            u[e] = 0.5 * exp(-depth / 200) * (number(e) - 0.4);
            v[e] = 0.4 * exp(-depth / 200) * (number(e + 1) - 0.5);
            t[e] = 3 + 20 * exp(-depth / 400) + 0.8 * exp(-depth / 100) * number(e + 2);
            s[e] = 34.5 + 0.5 * exp(-depth / 300) + 0.1 * number(e + 3);
        }
        depth += dz[k];
    }
    struct watch w = watch(args.repeats);
#if SPELLING == 1
    double *wind_u = wind, *wind_v = wind + columns;
#pragma acc enter data copyin(bottom[0:columns], dz[0:LAYERS], u[0:all], v[0:all], t[0:all], s[0:all], wind_u[0:columns], wind_v[0:columns])   \
    copyin(heat[0:columns], rain[0:columns]) create(un[0:all], vn[0:all], tn[0:all], sn[0:all])
    while (lap(&w))
        mix_columns(columns, bottom, dz, u, v, t, s, wind_u, wind_v, heat, rain, un, vn, tn, sn);
#else
#pragma acc enter data copyin(bottom[0:columns], dz[0:LAYERS], u[0:all], v[0:all], t[0:all], s[0:all], wind[0:2 * columns])                  \
    copyin(heat[0:columns], rain[0:columns]) create(un[0:all], vn[0:all], tn[0:all], sn[0:all])
    while (lap(&w))
        mix_columns(ny, nx, (int (*)[nx])bottom, dz, (double (*)[ny][nx])u, (double (*)[ny][nx])v, (double (*)[ny][nx])t, (double (*)[ny][nx])s,
                    (double (*)[ny][nx])wind, (double (*)[nx])heat, (double (*)[nx])rain, (double (*)[ny][nx])un, (double (*)[ny][nx])vn,
                    (double (*)[ny][nx])tn, (double (*)[ny][nx])sn);
#endif
#pragma acc update self(un[0:all], vn[0:all], tn[0:all], sn[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(un[k]) + fabs(vn[k]) + fabs(tn[k]) + fabs(sn[k]);
    report("mixing", w.best, sum);
    return 0;
}
