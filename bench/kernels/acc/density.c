// The density of electrons of a molecule on 72^3 points, double: 48 contracted Gaussians (s and p) at each point in an array, then the triangle of the
// density matrix; and its integral.
#include "../kernels.h"

enum { SIDE = 72, ATOMS = 12, EACH = 4, BASIS = ATOMS * EACH, TERMS = 3 };
#define STEP (8.0 / SIDE)

#if SPELLING == 1
static double density(int n, const double *restrict ax, const double *restrict ay, const double *restrict az, const double *restrict exponent,
                      const double *restrict factor, const double *restrict p, double *restrict rho)
{
    double total = 0;
#pragma acc parallel loop collapse(3) reduction(+ : total) present(ax[0:ATOMS], ay[0:ATOMS], az[0:ATOMS], exponent[0:ATOMS * TERMS], \
                                                                       factor[0:ATOMS * TERMS], p[0:BASIS * BASIS], rho[0:n * n * n])
#pragma omp parallel for reduction(+ : total)
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double phi[BASIS], sum = 0;
                for (int a = 0; a < ATOMS; a++) {
                    double x = i * STEP - ax[a], y = j * STEP - ay[a], z = k * STEP - az[a], r2 = x * x + y * y + z * z, radial = 0;
                    for (int t = 0; t < TERMS; t++)
                        radial += factor[a * TERMS + t] * exp(-exponent[a * TERMS + t] * r2);
                    phi[a * EACH] = radial;
                    phi[a * EACH + 1] = x * radial;
                    phi[a * EACH + 2] = y * radial;
                    phi[a * EACH + 3] = z * radial;
                }
                for (int m = 0; m < BASIS; m++) {
                    double row = 0;
                    for (int l = 0; l < m; l++)
                        row += p[m * BASIS + l] * phi[l];
                    sum += phi[m] * (2 * row + p[m * BASIS + m] * phi[m]);
                }
                rho[(k * n + j) * n + i] = sum;
                total += sum;
            }
    return total * STEP * STEP * STEP;
}
#else
struct atom { double at[3], exponent[TERMS], factor[TERMS]; };

static void shells(const struct atom *atoms, const double r[3], double (*phi)[EACH])
{
    for (unsigned a = 0; a < ATOMS; ++a) {
        double d[3], r2 = 0, radial = 0;
        for (int c = 0; c < 3; ++c) {
            d[c] = r[c] - atoms[a].at[c];
            r2 += d[c] * d[c];
        }
        for (int t = 0; t < TERMS; ++t)
            radial += atoms[a].factor[t] * exp(-atoms[a].exponent[t] * r2);
        phi[a][0] = radial;
        for (int c = 0; c < 3; ++c)
            phi[a][c + 1] = d[c] * radial;
    }
}

static double density(size_t n, struct atom *atoms, double (*p)[BASIS], double *rho)
{
    double total = 0;
#pragma acc kernels present(atoms[0:ATOMS], p[0:BASIS], rho[0:n * n * n])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t point = 0; point < n * n * n; ++point) {
            double r[3] = {point % n * STEP, point / n % n * STEP, point / n / n * STEP}, phi[ATOMS][EACH], *f = &phi[0][0], sum = 0;
            shells(atoms, r, phi);
            for (size_t m = 0; m < BASIS; ++m) {
                sum += p[m][m] * f[m] * f[m];
                for (size_t l = m + 1; l < BASIS; ++l)
                    sum += 2 * p[m][l] * f[m] * f[l];
            }
            rho[point] = sum;
        }
#pragma acc loop reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
        for (size_t point = 0; point < n * n * n; ++point)
            total += rho[point];
    }
    return total * STEP * STEP * STEP;
}
#endif

static void molecule(double *at, double *exponent, double *factor, double *p)
{
    for (int a = 0; a < ATOMS; a++) {
        for (int c = 0; c < 3; c++)
            at[c * ATOMS + a] = 2 + 4 * number(17 * a + c);
        for (int t = 0; t < TERMS; t++) {
            exponent[a * TERMS + t] = (0.2 + number(a + 31 * t)) * (1 << 2 * t) / 4;
            factor[a * TERMS + t] = 0.3 + number(5 * a + t);
        }
    }
    for (int m = 0; m < BASIS; m++)
        for (int l = 0; l <= m; l++)
            p[m * BASIS + l] = p[l * BASIS + m] = m == l ? 1 + number(m) : 0.1 * number(m * BASIS + l);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 2) / 3, all = n * n * n;
    double at[3 * ATOMS], *exponent = NEW(double, ATOMS *TERMS), *factor = NEW(double, ATOMS *TERMS), *p = NEW(double, BASIS *BASIS), *rho = NEW(double, all),
           total = 0, sum = 0;
    molecule(at, exponent, factor, p);
#pragma acc enter data copyin(p[0:BASIS * BASIS]) create(rho[0:all])
#if SPELLING == 1
    double *x = at, *y = at + ATOMS, *z = at + 2 * ATOMS;
#pragma acc enter data copyin(x[0:ATOMS], y[0:ATOMS], z[0:ATOMS], exponent[0:ATOMS * TERMS], factor[0:ATOMS * TERMS])
#else
    struct atom *atoms = NEW(struct atom, ATOMS);
    for (int a = 0; a < ATOMS; a++)
        for (int c = 0; c < 3; c++) {
            atoms[a].at[c] = at[c * ATOMS + a];
            atoms[a].exponent[c] = exponent[a * TERMS + c];
            atoms[a].factor[c] = factor[a * TERMS + c];
        }
#pragma acc enter data copyin(atoms[0:ATOMS])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        total = density(n, x, y, z, exponent, factor, p, rho);
#else
        total = density(n, atoms, (void *)p, rho);
#endif
    }
#pragma acc update self(rho[0:all])
    SUM(sum, rho, all);
    report("density", t.best, sum + total);
    return 0;
}
