// Forces of molecular dynamics, Lennard-Jones, double: 65536 atoms with lists of 64 neighbours, those of all atoms together.
#include "../kernels.h"

enum { ATOMS = 1 << 16, NEIGHBOURS = 64 };

#if SPELLING == 1
static void forces(int n, const double *restrict x, const double *restrict y, const double *restrict z,
                   const int *restrict list, double *restrict f)
{
#pragma acc parallel loop present(x[0:n], y[0:n], z[0:n], list[0:n * NEIGHBOURS], f[0:3 * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (int k = 0; k < NEIGHBOURS; k++) {
            int j = list[k * n + i];
            double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 0.25) {
                double inverse = 1.0 / (r2 + 0.01), r6 = inverse * inverse * inverse;
                double force = inverse * r6 * (1.5e-6 * r6 - 2e-3);
                fx += dx * force;
                fy += dy * force;
                fz += dz * force;
            }
        }
        f[i] = fx;
        f[n + i] = fy;
        f[2 * n + i] = fz;
    }
}
#elif SPELLING == 3
struct atoms { long n; double *x, *y, *z; int *neighbours; double *f; };
static void lj_force(const struct atoms *s)
{
    const long n = s->n;
    const double *x = s->x, *y = s->y, *z = s->z;
    const int *neigh = s->neighbours;
    double *f = s->f;
    const double cutsq = 0.25, lj1 = 1.5e-6, lj2 = 2e-3;
#pragma acc kernels loop independent present(x[0:n], y[0:n], z[0:n], neigh[0:n * NEIGHBOURS], f[0:3 * n])
    for (long i = 0; i < n; i++) {
        double force[3] = {0, 0, 0};
        const double xi = x[i], yi = y[i], zi = z[i];
        for (long jj = 0; jj < NEIGHBOURS; jj++) {
            const int j = neigh[jj * n + i];
            const double delx = xi - x[j], dely = yi - y[j], delz = zi - z[j];
            const double rsq = delx * delx + dely * dely + delz * delz;
            if (rsq >= cutsq)
                continue;
            const double r2inv = 1.0 / (rsq + 0.01);
            const double r6inv = r2inv * r2inv * r2inv;
            const double fpair = r2inv * r6inv * (lj1 * r6inv - lj2);
            force[0] += delx * fpair;
            force[1] += dely * fpair;
            force[2] += delz * fpair;
        }
        f[i] = force[0];
        f[i + n] = force[1];
        f[i + 2 * n] = force[2];
    }
}
static void forces(int n, double *x, double *y, double *z, int *list, double *f)
{
    struct atoms s = {n, x, y, z, list, f};
    lj_force(&s);
}
#elif SPELLING == 4
static void forces(int n, const double *restrict x, const double *restrict y, const double *restrict z, const int *restrict list, double *restrict f)
{
    const int(*nb)[n] = (const int(*)[n])list;
    double(*out)[n] = (double(*)[n])f;
#pragma acc parallel loop present(x[0:n], y[0:n], z[0:n], nb[0:NEIGHBOURS], out[0:3]) vector_length(64)
    for (int i = 0; i < n; i++) {
        double fx = 0, fy = 0, fz = 0;
#pragma acc loop seq
        for (int k = NEIGHBOURS; k-- > 0;) {
            int j = nb[k][i];
            double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], r2 = dx * dx + dy * dy + dz * dz;
            double s = 1 / (r2 + 0.01), s3 = s * s * s;
            double w = r2 < 0.25 ? s * s3 * (1.5e-6 * s3 - 2e-3) : 0;
            fx += w * dx, fy += w * dy, fz += w * dz;
        }
        out[0][i] = fx;
        out[1][i] = fy;
        out[2][i] = fz;
    }
}
#else
typedef struct {
    double x, y, z;
} vec;

#pragma acc routine seq
static vec minus(vec a, vec b)
{
    vec c = {a.x - b.x, a.y - b.y, a.z - b.z};
    return c;
}

#pragma acc routine seq
static void pair(vec *sum, const vec *d)
{
    double r2 = d->x * d->x + d->y * d->y + d->z * d->z;
    if (r2 >= 0.25)
        return;
    double inverse = 1.0 / (r2 + 0.01), r6 = inverse * inverse * inverse;
    double force = inverse * r6 * (1.5e-6 * r6 - 2e-3);
    sum->x += d->x * force;
    sum->y += d->y * force;
    sum->z += d->z * force;
}

static void forces(size_t n, double *x, double *y, double *z, int *list, double *f)
{
#pragma acc parallel loop gang vector present(x[0:n], y[0:n], z[0:n], list[0:n * NEIGHBOURS], f[0:3 * n])
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        vec here = {x[i], y[i], z[i]}, sum = {0, 0, 0};
        const int *p = list + i;
        for (size_t k = 0; k < NEIGHBOURS; k++) {
            vec there = {x[p[k * n]], y[p[k * n]], z[p[k * n]]};
            vec d = minus(here, there);
            pair(&sum, &d);
        }
        f[0 * n + i] = sum.x;
        f[1 * n + i] = sum.y;
        f[2 * n + i] = sum.z;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ATOMS >> args.shift, *list = NEW(int, n *NEIGHBOURS);
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *f = NEW(double, 3 * n), sum = 0;
    for (int i = 0; i < n; i++)
        x[i] = number(3 * i), y[i] = number(3 * i + 1), z[i] = number(3 * i + 2);
    for (int k = 0; k < NEIGHBOURS; k++)
        for (int i = 0; i < n; i++)
            list[k * n + i] = (int)((i + 1 + mix(k * n + i) % 1000) % n);
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], list[0:n * NEIGHBOURS]) create(f[0:3 * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        forces(n, x, y, z, list, f);
#pragma acc update self(f[0:3 * n])
    for (int k = 0; k < 3 * n; k++)
        sum += fabs(f[k]);
    report("md", t.best, sum);
    return 0;
}
