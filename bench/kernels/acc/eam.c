// Forces of metal by the embedded-atom method in 22^3 boxes of 8 to 16 atoms, double: pair potentials and densities from the 27 boxes around,
// then the energy of embedding, then the forces it brings; three functions in tables of 2000 steps. Places are relative to an atom's own box.
#include "../kernels.h"

enum { SIDE = 22, SLOTS = 16, POINTS = 2000, TABLE = POINTS + 3 };

#define MOST_DENSITY 120.0

#if SPELLING == 1
static void interpolate(const double *restrict table, double scale, double x, double *value, double *slope)
{
    x *= scale;
    int i = (int)x;
    if (i > POINTS - 1)
        i = POINTS - 1;
    const double *v = table + 1 + i;
    double r = x - i, g1 = v[1] - v[-1], g2 = v[2] - v[0];
    *value = v[0] + 0.5 * r * (g1 + r * (v[1] + v[-1] - 2 * v[0]));
    *slope = 0.5 * (g1 + r * (g2 - g1)) * scale;
}

static void forces(int side, const int *restrict count, const int *restrict around, const double *restrict x, const double *restrict y,
                   const double *restrict z, const double *restrict phi, const double *restrict rho, const double *restrict embed,
                   double *restrict fx, double *restrict fy, double *restrict fz, double *restrict energy, double *restrict density,
                   double *restrict slope)
{
    int boxes = side * side * side, n = boxes * SLOTS;
#pragma acc data present(count[0:boxes], around[0:27 * boxes], x[0:n], y[0:n], z[0:n], phi[0:TABLE], rho[0:TABLE], embed[0:TABLE]) \
    present(fx[0:n], fy[0:n], fz[0:n], energy[0:n], density[0:n], slope[0:n])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int box = 0; box < boxes; box++)
            for (int slot = 0; slot < SLOTS; slot++) {
                int i = box * SLOTS + slot;
                double ax = 0, ay = 0, az = 0, e = 0, sum = 0;
                if (slot >= count[box])
                    continue;
                for (int k = 0; k < 27; k++) {
                    int other = around[box * 27 + k];
                    double ox = x[i] - (k / 9 - 1), oy = y[i] - (k / 3 % 3 - 1), oz = z[i] - (k % 3 - 1);
                    for (int j = other * SLOTS; j < other * SLOTS + count[other]; j++) {
                        double dx = ox - x[j], dy = oy - y[j], dz = oz - z[j], r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 >= 1 || r2 == 0)
                            continue;
                        double r = sqrt(r2), p, dp, d, dd;
                        interpolate(phi, POINTS, r, &p, &dp);
                        interpolate(rho, POINTS, r, &d, &dd);
                        ax -= dp * dx / r;
                        ay -= dp * dy / r;
                        az -= dp * dz / r;
                        e += 0.5 * p;
                        sum += d;
                    }
                }
                fx[i] = ax, fy[i] = ay, fz[i] = az;
                energy[i] = e;
                density[i] = sum;
            }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int box = 0; box < boxes; box++)
            for (int slot = 0; slot < SLOTS; slot++)
                if (slot < count[box]) {
                    double f, df;
                    interpolate(embed, POINTS / MOST_DENSITY, density[box * SLOTS + slot], &f, &df);
                    energy[box * SLOTS + slot] += f;
                    slope[box * SLOTS + slot] = df;
                }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int box = 0; box < boxes; box++)
            for (int slot = 0; slot < SLOTS; slot++) {
                int i = box * SLOTS + slot;
                if (slot >= count[box])
                    continue;
                double ax = fx[i], ay = fy[i], az = fz[i];
                for (int k = 0; k < 27; k++) {
                    int other = around[box * 27 + k];
                    double ox = x[i] - (k / 9 - 1), oy = y[i] - (k / 3 % 3 - 1), oz = z[i] - (k % 3 - 1);
                    for (int j = other * SLOTS; j < other * SLOTS + count[other]; j++) {
                        double dx = ox - x[j], dy = oy - y[j], dz = oz - z[j], r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 >= 1 || r2 == 0)
                            continue;
                        double r = sqrt(r2), d, dd;
                        interpolate(rho, POINTS, r, &d, &dd);
                        ax -= (slope[i] + slope[j]) * dd * dx / r;
                        ay -= (slope[i] + slope[j]) * dd * dy / r;
                        az -= (slope[i] + slope[j]) * dd * dz / r;
                    }
                }
                fx[i] = ax, fy[i] = ay, fz[i] = az;
            }
    }
}
#else
struct table { double scale, v[TABLE]; };
struct pair { double value, slope; };
typedef double real3[3];

static struct pair at(const struct table *t, double x)
{
    const double scaled = x * t->scale;
    const long i = scaled > POINTS - 1 ? POINTS - 1 : (long)scaled;
    const double r = scaled - (double)i, g1 = t->v[i + 2] - t->v[i], g2 = t->v[i + 3] - t->v[i + 1];
    struct pair p = {t->v[i + 1] + 0.5 * r * (g1 + r * (t->v[i + 2] + t->v[i] - 2 * t->v[i + 1])), 0.5 * (g1 + r * (g2 - g1)) * t->scale};
    return p;
}

static double between(const double *a, const double *b, int k, double *d)
{
    const int offset[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
    double squared = 0;
    for (int m = 0; m < 3; ++m) {
        d[m] = a[m] - b[m] - offset[m];
        squared += d[m] * d[m];
    }
    return squared;
}

static void forces(long side, int *count, int (*around)[27], real3 *r, struct table *tables, real3 *f, double *energy, double *density, double *slope)
{
    const long boxes = side * side * side, n = boxes * SLOTS;
    const struct table *phi = tables, *rho = tables + 1, *embed = tables + 2;
#pragma acc kernels present(count[0:boxes], around[0:boxes], r[0:n], tables[0:3], f[0:n], energy[0:n], density[0:n], slope[0:n])
    {
#pragma acc loop independent gang vector(128)
#pragma omp parallel for
        for (long i = 0; i < n; ++i) {
            const long box = i / SLOTS;
            if (i % SLOTS >= count[box])
                continue;
            real3 force = {0, 0, 0}, d;
            double e = 0, sum = 0;
            for (int k = 0; k < 27; ++k) {
                const long first = (long)around[box][k] * SLOTS, many = count[around[box][k]];
                for (long j = first; j < first + many; ++j) {
                    const double squared = between(r[i], r[j], k, d);
                    if (squared < 1 && squared > 0) {
                        const double distance = sqrt(squared);
                        const struct pair p = at(phi, distance);
                        for (int m = 0; m < 3; ++m)
                            force[m] -= p.slope * d[m] / distance;
                        e += p.value / 2;
                        sum += at(rho, distance).value;
                    }
                }
            }
            for (int m = 0; m < 3; ++m)
                f[i][m] = force[m];
            energy[i] = e;
            density[i] = sum;
        }
#pragma acc loop independent
#pragma omp parallel for
        for (long i = 0; i < n; ++i)
            if (i % SLOTS < count[i / SLOTS]) {
                const struct pair p = at(embed, density[i]);
                energy[i] += p.value;
                slope[i] = p.slope;
            }
#pragma acc loop independent gang vector(128)
#pragma omp parallel for
        for (long i = 0; i < n; ++i) {
            const long box = i / SLOTS;
            if (i % SLOTS >= count[box])
                continue;
            real3 force = {0, 0, 0}, d;
            for (int k = 0; k < 27; ++k) {
                const long first = (long)around[box][k] * SLOTS, many = count[around[box][k]];
                for (long j = first; j < first + many; ++j) {
                    const double squared = between(r[i], r[j], k, d);
                    if (squared < 1 && squared > 0) {
                        const double distance = sqrt(squared), pull = (slope[i] + slope[j]) * at(rho, distance).slope / distance;
                        for (int m = 0; m < 3; ++m)
                            force[m] -= pull * d[m];
                    }
                }
            }
            for (int m = 0; m < 3; ++m)
                f[i][m] += force[m];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 2) / 3, boxes = side * side * side, n = boxes * SLOTS, *count = NEW(int, boxes), *around = NEW(int, 27 * boxes);
    double *x = NEW(double, 3 * n), *f = NEW(double, 3 * n), *energy = NEW(double, n), *density = NEW(double, n), *slope = NEW(double, n), sum = 0;
    double phi[TABLE], rho[TABLE], embed[TABLE];
    for (int k = 0; k < TABLE; k++) {
        double r = (k - 1.0) / POINTS, s = MOST_DENSITY * r;
        phi[k] = 2 * (1 - r) * (1 - r) * exp(-3 * r);
        rho[k] = (1 - r) * (1 - r) * (1 + 2 * r);
        embed[k] = -2 * sqrt(fmax(s, 0)) + 0.01 * s;
    }
    for (int b = 0; b < boxes; b++) {
        int cx = b / side / side, cy = b / side % side, cz = b % side;
        count[b] = 8 + mix(b) % 9;
        for (int k = 0; k < 27; k++)
            around[b * 27 + k] = ((cx + k / 9 - 1 + side) % side * side + (cy + k / 3 % 3 - 1 + side) % side) * side + (cz + k % 3 - 1 + side) % side;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *y = x + n, *z = y + n, *fx = f, *fy = f + n, *fz = fy + n;
    for (int k = 0; k < 3 * n; k++)
        x[k % 3 * n + k / 3] = number(k);
#pragma acc enter data copyin(count[0:boxes], around[0:27 * boxes], x[0:3 * n], phi[0:TABLE], rho[0:TABLE], embed[0:TABLE]) \
    create(f[0:3 * n], energy[0:n], density[0:n], slope[0:n])
    while (lap(&t))
        forces(side, count, around, x, y, z, phi, rho, embed, fx, fy, fz, energy, density, slope);
#else
    struct table *tables = NEW(struct table, 3);
    for (int k = 0; k < TABLE; k++)
        tables[0].v[k] = phi[k], tables[1].v[k] = rho[k], tables[2].v[k] = embed[k];
    tables[0].scale = tables[1].scale = POINTS;
    tables[2].scale = POINTS / MOST_DENSITY;
    FILL(x, 3 * n, 1);
#pragma acc enter data copyin(count[0:boxes], around[0:27 * boxes], x[0:3 * n], tables[0:3]) create(f[0:3 * n], energy[0:n], density[0:n], slope[0:n])
    while (lap(&t))
        forces(side, count, (int(*)[27])around, (real3 *)x, tables, (real3 *)f, energy, density, slope);
#endif
#pragma acc update self(f[0:3 * n], energy[0:n])
    for (int i = 0; i < n; i++)
        if (i % SLOTS < count[i / SLOTS])
            for (int d = 0; d < 3; d++)
                sum += fabs(f[SPELLING == 1 ? d * n + i : 3 * i + d]) + energy[i];
    report("eam", t.best, sum);
    return 0;
}
