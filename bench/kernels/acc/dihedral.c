// Forces of 2^21 torsions around the bonds of chains of 2^20 atoms, double: angles of four atoms each, atomic additions to all four, and the energy.
#include "../kernels.h"

enum { ATOMS = 1 << 20, KINDS = 16 };

#if SPELLING == 1
static double torsions(int n, int m, const double *restrict x, const double *restrict y, const double *restrict z, const int *restrict atoms,
                       const int *restrict kind, const double *restrict strength, const double *restrict phase, const int *restrict times,
                       double *restrict fx, double *restrict fy, double *restrict fz)
{
    double energy = 0;
#pragma acc data present(x[0:n], y[0:n], z[0:n], atoms[0:4 * m], kind[0:m], strength[0:KINDS], phase[0:KINDS], times[0:KINDS], fx[0:n], fy[0:n], fz[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            fx[i] = fy[i] = fz[i] = 0;
#pragma acc parallel loop reduction(+ : energy)
        for (int t = 0; t < m; t++) {
            int i = atoms[t], j = atoms[m + t], k = atoms[2 * m + t], l = atoms[3 * m + t], type = kind[t];
            double ax = x[i] - x[j], ay = y[i] - y[j], az = z[i] - z[j];
            double bx = x[k] - x[j], by = y[k] - y[j], bz = z[k] - z[j];
            double cx = x[k] - x[l], cy = y[k] - y[l], cz = z[k] - z[l];
            double mx = ay * bz - az * by, my = az * bx - ax * bz, mz = ax * by - ay * bx;
            double nx = by * cz - bz * cy, ny = bz * cx - bx * cz, nz = bx * cy - by * cx;
            double b2 = bx * bx + by * by + bz * bz, b = sqrt(b2);
            double angle = atan2(b * (ax * nx + ay * ny + az * nz), mx * nx + my * ny + mz * nz);
            double inner = times[type] * angle - phase[type];
            energy += strength[type] * (1 + cos(inner));
            double slope = -strength[type] * times[type] * sin(inner);
            double first = -slope * b / (mx * mx + my * my + mz * mz), last = slope * b / (nx * nx + ny * ny + nz * nz);
            double p = (ax * bx + ay * by + az * bz) / b2, q = (cx * bx + cy * by + cz * bz) / b2;
            double ix = first * mx, iy = first * my, iz = first * mz, lx = last * nx, ly = last * ny, lz = last * nz;
            double sx = p * ix - q * lx, sy = p * iy - q * ly, sz = p * iz - q * lz;
#pragma acc atomic update
            fx[i] += ix;
#pragma acc atomic update
            fy[i] += iy;
#pragma acc atomic update
            fz[i] += iz;
#pragma acc atomic update
            fx[j] += sx - ix;
#pragma acc atomic update
            fy[j] += sy - iy;
#pragma acc atomic update
            fz[j] += sz - iz;
#pragma acc atomic update
            fx[k] -= sx + lx;
#pragma acc atomic update
            fy[k] -= sy + ly;
#pragma acc atomic update
            fz[k] -= sz + lz;
#pragma acc atomic update
            fx[l] += lx;
#pragma acc atomic update
            fy[l] += ly;
#pragma acc atomic update
            fz[l] += lz;
        }
    }
    return energy;
}
#else
typedef struct { double x, y, z; } vec;
struct torsion { int atom[4], kind; };
struct kind { double strength, phase; int times; };

static vec minus(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static vec scaled(double s, vec a) { return (vec){s * a.x, s * a.y, s * a.z}; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

#pragma acc routine seq
static void push(vec *to, vec by)
{
#pragma acc atomic
    to->x += by.x;
#pragma acc atomic
    to->y += by.y;
#pragma acc atomic
    to->z += by.z;
}

#pragma acc routine seq
static double torsion(const struct torsion *t, const struct kind *kinds, const vec *at, vec *force)
{
    const struct kind *k = &kinds[t->kind];
    vec a = minus(at[t->atom[0]], at[t->atom[1]]), b = minus(at[t->atom[2]], at[t->atom[1]]), c = minus(at[t->atom[2]], at[t->atom[3]]);
    vec m = cross(a, b), n = cross(b, c);
    double length = sqrt(dot(b, b)), inner = k->times * atan2(length * dot(a, n), dot(m, n)) - k->phase;
    double slope = -k->strength * k->times * sin(inner);
    vec fi = scaled(-slope * length / dot(m, m), m), fl = scaled(slope * length / dot(n, n), n);
    vec s = minus(scaled(dot(a, b) / dot(b, b), fi), scaled(dot(c, b) / dot(b, b), fl));
    push(&force[t->atom[0]], fi);
    push(&force[t->atom[1]], minus(s, fi));
    push(&force[t->atom[2]], minus(scaled(-1, s), fl));
    push(&force[t->atom[3]], fl);
    return k->strength * (1 + cos(inner));
}

static double torsions(size_t n, size_t m, const vec *at, const struct torsion *all, const struct kind *kinds, vec *force)
{
    double energy = 0;
#pragma acc parallel loop present(force[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
        force[i] = (vec){0, 0, 0};
#pragma acc parallel loop gang vector vector_length(128) reduction(+ : energy) present(at[0:n], all[0:m], kinds[0:KINDS], force[0:n])
    for (size_t t = 0; t < m; ++t)
        energy += torsion(&all[t], kinds, at, force);
    return energy;
}
#endif

static void chain(int i, double at[3])
{
    at[0] = 2 * cos(1.7 * i) + 0.3 * number(i);
    at[1] = 2 * sin(1.7 * i) + 0.3 * number(i + 500009);
    at[2] = 0.6 * (i % 1024) + 0.3 * number(i + 900001);
}

static void bonds(int n, int m, int t, int atom[4], int *kind)
{
    int first = (int)((long)t * n / m) / 1024 * 1024 + mix(t) % 1016, wide = t % 2;
    for (int k = 0; k < 4; k++)
        atom[k] = first + k * (1 + wide);
    *kind = mix(t + 77) % KINDS;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ATOMS >> args.shift, m = 2 * n, atom[4], k;
    double at[3], energy = 0, sum = 0;
#if SPELLING == 1
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *fx = NEW(double, n), *fy = NEW(double, n), *fz = NEW(double, n);
    double *strength = NEW(double, KINDS), *phase = NEW(double, KINDS);
    int *atoms = NEW(int, 4 * m), *kind = NEW(int, m), *times = NEW(int, KINDS);
    for (int i = 0; i < n; i++) {
        chain(i, at);
        x[i] = at[0], y[i] = at[1], z[i] = at[2];
    }
    for (int t = 0; t < m; t++) {
        bonds(n, m, t, atom, &kind[t]);
        for (int c = 0; c < 4; c++)
            atoms[c * m + t] = atom[c];
    }
    for (int c = 0; c < KINDS; c++)
        strength[c] = 1 + number(c), phase[c] = 3 * number(c + 9), times[c] = 1 + c % 6;
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], atoms[0:4 * m], kind[0:m], strength[0:KINDS], phase[0:KINDS], times[0:KINDS])
#pragma acc enter data create(fx[0:n], fy[0:n], fz[0:n])
#else
    vec *place = NEW(vec, n), *force = NEW(vec, n);
    struct torsion *all = NEW(struct torsion, m);
    struct kind *kinds = NEW(struct kind, KINDS);
    for (int i = 0; i < n; i++) {
        chain(i, at);
        place[i] = (vec){at[0], at[1], at[2]};
    }
    for (int t = 0; t < m; t++)
        bonds(n, m, t, all[t].atom, &all[t].kind);
    for (int c = 0; c < KINDS; c++)
        kinds[c] = (struct kind){1 + number(c), 3 * number(c + 9), 1 + c % 6};
#pragma acc enter data copyin(place[0:n], all[0:m], kinds[0:KINDS]) create(force[0:n])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        energy = torsions(n, m, x, y, z, atoms, kind, strength, phase, times, fx, fy, fz);
#else
        energy = torsions(n, m, place, all, kinds, force);
#endif
    }
#if SPELLING == 1
#pragma acc update self(fx[0:n], fy[0:n], fz[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(fx[i]) + fabs(fy[i]) + fabs(fz[i]);
#else
#pragma acc update self(force[0:n])
    for (int i = 0; i < n; i++)
        sum += fabs(force[i].x) + fabs(force[i].y) + fabs(force[i].z);
#endif
    report("dihedral", t.best, sum + energy);
    return 0;
}
