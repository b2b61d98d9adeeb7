// A step of elastic waves in 160^3 cells of a staggered grid, float, fourth order: velocities from the six stresses, then stresses from the
// velocities.
#include "../kernels.h"

enum { SIDE = 160 };

#define C0 1.125f
#define C1 (-1 / 24.0f)
#define STEP 0.2f

#if SPELLING == 1
// Differences half a cell after and before the place `at`.
#define AFTER(f, s) (C0 * (f[at + (s)] - f[at]) + C1 * (f[at + 2 * (s)] - f[at - (s)]))
#define BEFORE(f, s) (C0 * (f[at] - f[at - (s)]) + C1 * (f[at + (s)] - f[at - 2 * (s)]))

static void velocities(int n, int deep, const float *restrict light, float *restrict vx, float *restrict vy, float *restrict vz,
                       const float *restrict xx, const float *restrict yy, const float *restrict zz, const float *restrict xy,
                       const float *restrict xz, const float *restrict yz)
{
    int row = n, slice = n * n, all = n * n * deep;
#pragma acc parallel loop collapse(3) present(light[0:all], vx[0:all], vy[0:all], vz[0:all], xx[0:all], yy[0:all], zz[0:all], xy[0:all], \
                                                  xz[0:all], yz[0:all])
#pragma omp parallel for collapse(2)
    for (int k = 2; k < deep - 2; k++)
        for (int j = 2; j < n - 2; j++)
            for (int i = 2; i < n - 2; i++) {
                int at = k * slice + j * row + i;
                float b = STEP * light[at];
                vx[at] += b * (AFTER(xx, 1) + BEFORE(xy, row) + BEFORE(xz, slice));
                vy[at] += b * (BEFORE(xy, 1) + AFTER(yy, row) + BEFORE(yz, slice));
                vz[at] += b * (BEFORE(xz, 1) + BEFORE(yz, row) + AFTER(zz, slice));
            }
}

static void stresses(int n, int deep, const float *restrict lambda, const float *restrict mu, const float *restrict vx,
                     const float *restrict vy, const float *restrict vz, float *restrict xx, float *restrict yy, float *restrict zz,
                     float *restrict xy, float *restrict xz, float *restrict yz)
{
    int row = n, slice = n * n, all = n * n * deep;
#pragma acc parallel loop collapse(3) present(lambda[0:all], mu[0:all], vx[0:all], vy[0:all], vz[0:all], xx[0:all], yy[0:all], zz[0:all], \
                                                  xy[0:all], xz[0:all], yz[0:all])
#pragma omp parallel for collapse(2)
    for (int k = 2; k < deep - 2; k++)
        for (int j = 2; j < n - 2; j++)
            for (int i = 2; i < n - 2; i++) {
                int at = k * slice + j * row + i;
                float l = STEP * lambda[at], m = STEP * mu[at];
                float dx = BEFORE(vx, 1), dy = BEFORE(vy, row), dz = BEFORE(vz, slice), wider = l * (dx + dy + dz);
                xx[at] += wider + 2 * m * dx;
                yy[at] += wider + 2 * m * dy;
                zz[at] += wider + 2 * m * dz;
                xy[at] += m * (AFTER(vx, row) + AFTER(vy, 1));
                xz[at] += m * (AFTER(vx, slice) + AFTER(vz, 1));
                yz[at] += m * (AFTER(vy, slice) + AFTER(vz, row));
            }
}
#else
// Each points to the fields of all cells.
struct medium { float *light, *lambda, *mu; };
struct motion { float *v[3]; };
struct stress { float *normal[3], *xy, *xz, *yz; };

static inline float after(const float *f, long s) { return C0 * (f[s] - f[0]) + C1 * (f[2 * s] - f[-s]); }
static inline float before(const float *f, long s) { return after(f - s, s); }

static void velocities(size_t n, size_t deep, struct medium *e, struct motion *v, struct stress *s)
{
    const long far = n * n;
#pragma acc parallel loop gang collapse(2) present(e[0:1], v[0:1], s[0:1])
#pragma omp parallel for collapse(2)
    for (size_t k = 2; k < deep - 2; ++k)
        for (size_t j = 2; j < n - 2; ++j)
#pragma acc loop vector
            for (size_t i = 2; i < n - 2; ++i) {
                size_t at = (k * n + j) * n + i;
                float b = STEP * e->light[at];
                v->v[0][at] += b * (after(s->normal[0] + at, 1) + before(s->xy + at, n) + before(s->xz + at, far));
                v->v[1][at] += b * (before(s->xy + at, 1) + after(s->normal[1] + at, n) + before(s->yz + at, far));
                v->v[2][at] += b * (before(s->xz + at, 1) + before(s->yz + at, n) + after(s->normal[2] + at, far));
            }
}

static void stresses(size_t n, size_t deep, struct medium *e, struct motion *v, struct stress *s)
{
    const long strides[3] = {1, n, n * n};
#pragma acc parallel loop gang collapse(2) copyin(strides) present(e[0:1], v[0:1], s[0:1])
#pragma omp parallel for collapse(2)
    for (size_t k = 2; k < deep - 2; ++k)
        for (size_t j = 2; j < n - 2; ++j)
#pragma acc loop vector
            for (size_t i = 2; i < n - 2; ++i) {
                size_t at = (k * n + j) * n + i;
                const float *x = v->v[0] + at, *y = v->v[1] + at, *z = v->v[2] + at;
                float m = STEP * e->mu[at], d[3], all = 0;
                for (int c = 0; c < 3; ++c) {
                    d[c] = before(v->v[c] + at, strides[c]);
                    all += d[c];
                }
                for (int c = 0; c < 3; ++c)
                    s->normal[c][at] += STEP * e->lambda[at] * all + 2 * m * d[c];
                s->xy[at] += m * (after(x, strides[1]) + after(y, 1));
                s->xz[at] += m * (after(x, strides[2]) + after(z, 1));
                s->yz[at] += m * (after(y, strides[2]) + after(z, strides[1]));
            }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE, deep = (SIDE >> args.shift) + 4, all = n * n * deep;
    float *f[12];
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        f[k] = NEW(float, all);
        for (int c = 0; c < all; c++)
            f[k][c] = k < 3 ? 0 : number(c + k);
    }
    float *vx = f[0], *vy = f[1], *vz = f[2], *xx = f[3], *yy = f[4], *zz = f[5], *xy = f[6], *xz = f[7], *yz = f[8], *light = f[9],
          *lambda = f[10], *mu = f[11];
    struct watch t = watch(args.repeats);
#pragma acc enter data copyin(vx[0:all], vy[0:all], vz[0:all], xx[0:all], yy[0:all], zz[0:all], xy[0:all], xz[0:all], yz[0:all], \
                              light[0:all], lambda[0:all], mu[0:all])
#if SPELLING == 1
    while (lap(&t)) {
        velocities(n, deep, light, vx, vy, vz, xx, yy, zz, xy, xz, yz);
        stresses(n, deep, lambda, mu, vx, vy, vz, xx, yy, zz, xy, xz, yz);
    }
#else
    struct medium e[1] = {{light, lambda, mu}};
    struct motion v[1] = {{{vx, vy, vz}}};
    struct stress s[1] = {{{xx, yy, zz}, xy, xz, yz}};
#pragma acc enter data copyin(e[0:1], v[0:1], s[0:1])
#pragma acc enter data attach(e->light, e->lambda, e->mu, v->v[0], v->v[1], v->v[2], s->normal[0], s->normal[1], s->normal[2], s->xy, s->xz, \
                              s->yz)
    while (lap(&t)) {
        velocities(n, deep, e, v, s);
        stresses(n, deep, e, v, s);
    }
#endif
#pragma acc update self(vx[0:all], vy[0:all], vz[0:all], xx[0:all], xy[0:all])
    for (int c = 0; c < all; c++)
        sum += fabs(vx[c]) + fabs(vy[c]) + fabs(vz[c]) + fabs(xx[c]) + fabs(xy[c]);
    report("elastic", t.best, sum);
    return 0;
}
