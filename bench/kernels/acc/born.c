// Radii of Born of the 8192 atoms of a protein by descreening in pairs (Onufriev, Bashford and Case), double: an integral over all others for each atom,
// then the energy of solvation of all pairs of charges (Still's formula).
#include "../kernels.h"

enum { ATOMS = 8192 };
#define OFFSET 0.09

#if SPELLING == 1
static double solvation(int n, const double *restrict x, const double *restrict y, const double *restrict z, const double *restrict q,
                        const double *restrict rho, const double *restrict scale, double *restrict radius)
{
    double energy = 0;
#pragma acc data present(x[0:n], y[0:n], z[0:n], q[0:n], rho[0:n], scale[0:n], radius[0:n])
    {
#pragma acc parallel loop gang vector_length(128)
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            double own = rho[i] - OFFSET, integral = 0;
#pragma acc loop vector reduction(+ : integral)
#pragma omp simd reduction(+ : integral)
            for (int j = 0; j < n; j++) {
                double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], r = sqrt(dx * dx + dy * dy + dz * dz), s = scale[j] * (rho[j] - OFFSET);
                if (j != i && own < r + s) {
                    double lower = 1 / fmax(own, fabs(r - s)), upper = 1 / (r + s), part;
                    part = lower - upper + 0.25 * (r - s * s / r) * (upper * upper - lower * lower) + 0.5 / r * log(upper / lower);
                    if (own < s - r)
                        part += 2 * (1 / own - lower);
                    integral += part;
                }
            }
            double psi = 0.5 * integral * own;
            radius[i] = 1 / (1 / own - tanh(psi - 0.8 * psi * psi + 4.85 * psi * psi * psi) / rho[i]);
        }
#pragma acc parallel loop gang vector_length(128) reduction(+ : energy)
#pragma omp parallel for reduction(+ : energy)
        for (int i = 0; i < n; i++) {
            double mine = 0;
#pragma acc loop vector reduction(+ : mine)
#pragma omp simd reduction(+ : mine)
            for (int j = 0; j < n; j++) {
                double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j], r2 = dx * dx + dy * dy + dz * dz, rr = radius[i] * radius[j];
                mine += q[j] / sqrt(r2 + rr * exp(-r2 / (4 * rr)));
            }
            energy += q[i] * mine;
        }
    }
    return -0.5 * 332.06 * (1 - 1 / 78.5) * energy;
}
#else
struct atom { double at[3], charge, intrinsic, scaled; };

#pragma acc routine seq
static double distance2(const struct atom *a, const struct atom *b)
{
    double sum = 0;
    for (int c = 0; c < 3; ++c)
        sum += (a->at[c] - b->at[c]) * (a->at[c] - b->at[c]);
    return sum;
}

#pragma acc routine seq
static double descreen(double own, double r, double s)
{
    if (own >= r + s)
        return 0;
    double l = own > fabs(r - s) ? own : fabs(r - s), u = r + s, all = 1 / l - 1 / u + (r - s * s / r) / 4 * (1 / (u * u) - 1 / (l * l)) + log(l / u) / (2 * r);
    return own < s - r ? all + 2 * (1 / own - 1 / l) : all;
}

static double solvation(size_t n, struct atom *atoms, double *radius)
{
    double energy = 0, self = 0;
#pragma acc kernels present(atoms[0:n], radius[0:n])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            const struct atom mine = atoms[i];
            double integral = 0;
#pragma acc loop reduction(+ : integral)
            for (size_t j = 0; j < n; ++j)
                if (j != i)
                    integral += descreen(mine.intrinsic - OFFSET, sqrt(distance2(&mine, &atoms[j])), atoms[j].scaled);
            double own = mine.intrinsic - OFFSET, psi = integral * own / 2;
            radius[i] = 1 / (1 / own - tanh(psi * (1 + psi * (-0.8 + psi * 4.85))) / mine.intrinsic);
        }
    }
#pragma acc parallel loop gang reduction(+ : energy, self) present(atoms[0:n], radius[0:n])
#pragma omp parallel for reduction(+ : energy, self)
    for (size_t i = 0; i < n; ++i) {
        self += atoms[i].charge * atoms[i].charge / radius[i];
#pragma acc loop vector reduction(+ : energy)
        for (size_t j = 0; j < i; ++j) {
            double r2 = distance2(&atoms[i], &atoms[j]), rr = radius[i] * radius[j];
            energy += atoms[i].charge * atoms[j].charge / sqrt(r2 + rr * exp(-r2 / (4 * rr)));
        }
    }
    return -332.06 * (1 - 1 / 78.5) * (energy + 0.5 * self);
}
#endif

static void protein(int n, double *x, double *y, double *z, double *q, double *rho, double *scale)
{
    int side = 1;
    while (side * side * side < n)
        side++;
    for (int i = 0; i < n; i++) {
        x[i] = 2.1 * (i % side + 0.6 * number(3 * i));
        y[i] = 2.1 * (i / side % side + 0.6 * number(3 * i + 1));
        z[i] = 2.1 * (i / side / side + 0.6 * number(3 * i + 2));
        q[i] = number(i + 700001) - 0.5;
        rho[i] = 1.2 + 0.1 * (mix(i + 5) % 7);
        scale[i] = 0.72 + 0.07 * (mix(i + 5) % 3);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ATOMS >> args.shift;
    double *x = NEW(double, n), *y = NEW(double, n), *z = NEW(double, n), *q = NEW(double, n), *rho = NEW(double, n), *scale = NEW(double, n),
           *radius = NEW(double, n), energy = 0, sum = 0;
    protein(n, x, y, z, q, rho, scale);
#pragma acc enter data create(radius[0:n])
#if SPELLING == 1
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], q[0:n], rho[0:n], scale[0:n])
#else
    struct atom *atoms = NEW(struct atom, n);
    for (int i = 0; i < n; i++)
        atoms[i] = (struct atom){{x[i], y[i], z[i]}, q[i], rho[i], scale[i] * (rho[i] - OFFSET)};
#pragma acc enter data copyin(atoms[0:n])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        energy = solvation(n, x, y, z, q, rho, scale, radius);
#else
        energy = solvation(n, atoms, radius);
#endif
    }
#pragma acc update self(radius[0:n])
    SUM(sum, radius, n);
    report("born", t.best, sum - energy);
    return 0;
}
