// Pressures in a grid of 2048 x 2048 cells with up to 16 materials, double: cells of one material say which, those of
// several where their list begins in arrays of what they are mixed of. Mean densities, then pressures by a law of each
// material, and a smoothed density over the neighbours that have the same material.
#include "../kernels.h"

enum { SIDE = 2048, MATERIALS = 16 };

#if SPELLING == 1
// kind[c]: the material, or minus the place of the first of a list, whose next ones follow by next, -1 at the end.
static void pressures(int n, int mixed, const int *restrict kind, const int *restrict next,
                      const int *restrict material, const double *restrict fraction, const double *restrict density,
                      const double *restrict temperature, const double *restrict mixed_density,
                      const double *restrict mixed_temperature, const double *restrict gas, double *restrict mean,
                      double *restrict pressure)
{
#pragma acc parallel loop present(kind[0:n * n], next[0:mixed], material[0:mixed], fraction[0:mixed]) \
    present(density[0:n * n], temperature[0:n * n], mixed_density[0:mixed], mixed_temperature[0:mixed]) \
    present(gas[0:MATERIALS], mean[0:n * n], pressure[0:n * n])
#pragma omp parallel for
    for (int c = 0; c < n * n; c++) {
        double rho, p;
        if (kind[c] >= 0) {
            rho = density[c];
            p = gas[kind[c]] * density[c] * temperature[c];
        } else {
            rho = p = 0;
            for (int k = -kind[c]; k >= 0; k = next[k]) {
                rho += fraction[k] * mixed_density[k];
                p += fraction[k] * gas[material[k]] * mixed_density[k] * mixed_temperature[k];
            }
        }
        mean[c] = rho;
        pressure[c] = p;
    }
}

#pragma acc routine seq
static inline double part(int m, int kind, double density, const int *restrict next, const int *restrict material,
                          const double *restrict mixed_density)
{
    if (kind >= 0)
        return kind == m ? density : -1;
    for (int k = -kind; k >= 0; k = next[k])
        if (material[k] == m)
            return mixed_density[k];
    return -1;
}

static void smooth(int n, int mixed, const int *restrict kind, const int *restrict next, const int *restrict material,
                   const double *restrict density, const double *restrict mixed_density, double *restrict out,
                   double *restrict mixed_out)
{
#pragma acc parallel loop collapse(2) present(kind[0:n * n], next[0:mixed], material[0:mixed], density[0:n * n], \
                                                  mixed_density[0:mixed], out[0:n * n], mixed_out[0:mixed])
#pragma omp parallel for
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            int c = y * n + x, k = kind[c] >= 0 ? 0 : -kind[c];
            do {
                int m = kind[c] >= 0 ? kind[c] : material[k], count = 0;
                double sum = 0;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int there = c + dy * n + dx;
                        double d = part(m, kind[there], density[there], next, material, mixed_density);
                        if (d >= 0) {
                            sum += d;
                            count++;
                        }
                    }
                if (kind[c] >= 0) {
                    out[c] = sum / count;
                    k = -1;
                } else {
                    mixed_out[k] = sum / count;
                    k = next[k];
                }
            } while (k >= 0);
        }
}
#else
struct state { double density, temperature; };
struct share { double fraction; struct state state; int material, next; };
struct grid { int *kind; struct state *cells; struct share *shares; };

static void pressures(long n, long mixed, struct grid g, double *gas, double *mean, double *pressure)
{
    int *kind = g.kind;
    struct state *cells = g.cells;
    struct share *shares = g.shares;
#pragma acc parallel loop gang \
    present(kind[0:n * n], cells[0:n * n], shares[0:mixed], gas[0:MATERIALS], mean[0:n * n], pressure[0:n * n])
#pragma omp parallel for
    for (long y = 0; y < n; ++y)
#pragma acc loop vector
        for (long x = 0; x < n; ++x) {
            const long c = y * n + x;
            if (kind[c] >= 0) {
                mean[c] = cells[c].density;
                pressure[c] = gas[kind[c]] * cells[c].density * cells[c].temperature;
                continue;
            }
            double rho = 0, p = 0;
            const struct share *s = &shares[-kind[c]];
            while (1) {
                rho += s->fraction * s->state.density;
                p += s->fraction * gas[s->material] * s->state.density * s->state.temperature;
                if (s->next < 0)
                    break;
                s = &shares[s->next];
            }
            mean[c] = rho;
            pressure[c] = p;
        }
}

// Adds up what cell c has of material m; gives whether it has any.
#pragma acc routine seq
static int add(const int *kind, const struct state *cells, const struct share *shares, long c, int m, double *sum)
{
    int k = kind[c];
    if (k >= 0) {
        *sum += k == m ? cells[c].density : 0;
        return k == m;
    }
    k = -k;
    while (k >= 0 && shares[k].material != m)
        k = shares[k].next;
    *sum += k >= 0 ? shares[k].state.density : 0;
    return k >= 0;
}

static void smooth(long n, long mixed, struct grid g, double *out, double *mixed_out)
{
    int *kind = g.kind;
    struct state *cells = g.cells;
    struct share *shares = g.shares;
#pragma acc kernels present(kind[0:n * n], cells[0:n * n], shares[0:mixed], out[0:n * n], mixed_out[0:mixed])
#pragma acc loop independent
#pragma omp parallel for
    for (long y = 1; y < n - 1; ++y)
#pragma acc loop independent
        for (long x = 1; x < n - 1; ++x) {
            const long c = y * n + x;
            if (kind[c] >= 0) {
                double sum = 0;
                int count = 0;
                for (long j = y - 1; j <= y + 1; ++j)
                    for (long i = x - 1; i <= x + 1; ++i)
                        count += add(kind, cells, shares, j * n + i, kind[c], &sum);
                out[c] = sum / count;
            } else
                for (int k = -kind[c]; k >= 0; k = shares[k].next) {
                    double sum = 0;
                    int count = 0;
                    for (long j = y - 1; j <= y + 1; ++j)
                        for (long i = x - 1; i <= x + 1; ++i)
                            count += add(kind, cells, shares, j * n + i, shares[k].material, &sum);
                    mixed_out[k] = sum / count;
                }
        }
}
#endif

// Stripes of materials; where two or three meet, cells have them all. Gives the length of the lists, whose place 0 is
// free.
static int mix_cells(int n, int *kind, int *next, int *material, double *fraction)
{
    int used = 1;
    for (int c = 0; c < n * n; c++) {
        int x = c % n, y = c / n, m = (x / 32 + y / 24) % MATERIALS,
            count = 1 + (x % 32 < 2) + (y % 24 < 2) + (mix(c) % 64 == 0);
        kind[c] = count == 1 ? m : -used;
        if (count > 1)
            for (int k = 0; k < count; k++, used++) {
                material[used] = (m + MATERIALS - k) % MATERIALS;
                next[used] = k == count - 1 ? -1 : used + 1;
                fraction[used] = 1.0 / count;
            }
    }
    return used;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, cells = n * n, *kind = NEW(int, cells), *next = NEW(int, 4 * cells),
        *material = NEW(int, 4 * cells);
    double *fraction = NEW(double, 4 * cells), *mean = NEW(double, cells), *pressure = NEW(double, cells),
           *out = NEW(double, cells);
    double gas[MATERIALS], sum = 0;
    int mixed = mix_cells(n, kind, next, material, fraction);
    double *mixed_out = NEW(double, mixed);
    next[0] = material[0] = fraction[0] = 0;
    FILL(out, cells, 1);
    FILL(mixed_out, mixed, 1);
    for (int m = 0; m < MATERIALS; m++)
        gas[m] = 1 + 0.1 * m;
#pragma acc enter data copyin(kind[0:cells], gas, out[0:cells], mixed_out[0:mixed]) \
    create(mean[0:cells], pressure[0:cells])
#if SPELLING == 1
    double *density = NEW(double, cells), *temperature = NEW(double, cells);
    double *mixed_density = NEW(double, mixed), *mixed_temperature = NEW(double, mixed);
    FILL(density, cells, 2);
    for (int k = 0; k < cells; k++)
        temperature[k] = 1 + number(k + 7);
    FILL(mixed_density, mixed, 3);
    for (int k = 0; k < mixed; k++)
        mixed_temperature[k] = 1 + number(k + 9);
#pragma acc enter data copyin(next[0:mixed], material[0:mixed], fraction[0:mixed])
#pragma acc enter data copyin(density[0:cells], temperature[0:cells]) \
    copyin(mixed_density[0:mixed], mixed_temperature[0:mixed])
#else
    struct grid g = {kind, NEW(struct state, cells), NEW(struct share, mixed)};
    struct state *states = g.cells;
    struct share *shares = g.shares;
    for (int k = 0; k < cells; k++)
        states[k] = (struct state){2 * number(k), 1 + number(k + 7)};
    for (int k = 0; k < mixed; k++)
        shares[k] = (struct share){fraction[k], {3 * number(k), 1 + number(k + 9)}, material[k], next[k]};
#pragma acc enter data copyin(states[0:cells], shares[0:mixed])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        pressures(n, mixed, kind, next, material, fraction, density, temperature, mixed_density, mixed_temperature, gas,
                  mean, pressure);
        smooth(n, mixed, kind, next, material, density, mixed_density, out, mixed_out);
#else
        pressures(n, mixed, g, gas, mean, pressure);
        smooth(n, mixed, g, out, mixed_out);
#endif
    }
#pragma acc update self(mean[0:cells], pressure[0:cells], out[0:cells], mixed_out[0:mixed])
    for (int c = 0; c < cells; c++)
        sum += mean[c] + 2 * pressure[c] + out[c] * (1 + c % 3);
    for (int k = 0; k < mixed; k++)
        sum += mixed_out[k] * (1 + k % 5);
    report("materials", t.best, sum);
    return 0;
}
