// An alloy of 512 x 512 cells that falls apart into two phases (Cahn and Hilliard), double, periodic: ten small steps of a chemical potential and of
// currents down its slope with a mobility that depends on the mixture, and the free energy after the last.
#include "../kernels.h"

enum { SIDE = 512, STEPS = 10 };

#define KAPPA 0.7
#define DT 0.02

#if SPELLING == 1
// Out of a cell with mixture c and potential m into its neighbour.
static inline double current(double c, double cn, double m, double mn)
{
    double mean = 0.5 * (c + cn);
    return fmax(0, 1 - mean * mean) * (m - mn);
}

static void potential(int w, const double *restrict c, double *restrict mu)
{
#pragma acc parallel loop collapse(2) present(c[0:w * w], mu[0:w * w])
#pragma omp parallel for
    for (int y = 0; y < w; y++)
        for (int x = 0; x < w; x++) {
            int i = y * w + x;
            int l = y * w + (x + w - 1) % w, r = y * w + (x + 1) % w, u = (y + w - 1) % w * w + x, d = (y + 1) % w * w + x;
            mu[i] = c[i] * c[i] * c[i] - c[i] - KAPPA * (c[l] + c[r] + c[u] + c[d] - 4 * c[i]);
        }
}

static void move(int w, const double *restrict c, const double *restrict mu, double *restrict next)
{
#pragma acc parallel loop collapse(2) present(c[0:w * w], mu[0:w * w], next[0:w * w])
#pragma omp parallel for
    for (int y = 0; y < w; y++)
        for (int x = 0; x < w; x++) {
            int i = y * w + x;
            int l = y * w + (x + w - 1) % w, r = y * w + (x + 1) % w, u = (y + w - 1) % w * w + x, d = (y + 1) % w * w + x;
            double out = current(c[i], c[l], mu[i], mu[l]) + current(c[i], c[r], mu[i], mu[r]);
            out += current(c[i], c[u], mu[i], mu[u]) + current(c[i], c[d], mu[i], mu[d]);
            next[i] = c[i] - DT * out;
        }
}

static double free_energy(int w, const double *restrict c)
{
    double energy = 0;
#pragma acc parallel loop collapse(2) reduction(+ : energy) present(c[0:w * w])
#pragma omp parallel for reduction(+ : energy)
    for (int y = 0; y < w; y++)
        for (int x = 0; x < w; x++) {
            double here = c[y * w + x], dx = c[y * w + (x + 1) % w] - here, dy = c[(y + 1) % w * w + x] - here, well = here * here - 1;
            energy += 0.25 * well * well + 0.5 * KAPPA * (dx * dx + dy * dy);
        }
    return energy;
}

static double unmix(int w, const double *start, double *mu, double *a, double *b)
{
    const double *c = start;
    for (int step = 0; step < STEPS; step++) {
        double *next = step % 2 ? b : a;
        potential(w, c, mu);
        move(w, c, mu, next);
        c = next;
    }
    return free_energy(w, c);
}
#else
// The grid is a power of two wide.
#define BEFORE(i) (((i) - 1) & (w - 1))
#define BEHIND(i) (((i) + 1) & (w - 1))
#define CUBE(v) ((v) * (v) * (v))
#define MEAN(v, w) (((v) + (w)) / 2.0)
#define MOBILITY(v) ((v) * (v) < 1.0 ? 1.0 - (v) * (v) : 0.0)
#define CURRENT(p, q) (MOBILITY(MEAN(c[y][x], c[p][q])) * (mu[y][x] - mu[p][q]))

// Both states in one array, in turns.
static double unmix(size_t w, double start[w][w], double mu[w][w], double state[2][w][w])
{
    double energy = 0.0;
#pragma acc data present(start[0:w][0:w], mu[0:w][0:w], state[0:2][0:w][0:w])
    {
        for (unsigned step = 0; step < STEPS; ++step) {
            double(*c)[w] = step ? state[(step + 1) % 2] : start, (*next)[w] = state[step % 2];
#pragma acc parallel loop gang present(c[0:w][0:w])
#pragma omp parallel for
            for (size_t y = 0; y < w; ++y)
#pragma acc loop vector
                for (size_t x = 0; x < w; ++x) {
                    const double laplacian = c[y][BEFORE(x)] + c[y][BEHIND(x)] + c[BEFORE(y)][x] + c[BEHIND(y)][x] - 4.0 * c[y][x];
                    mu[y][x] = CUBE(c[y][x]) - c[y][x] - KAPPA * laplacian;
                }
#pragma acc parallel loop gang present(c[0:w][0:w], next[0:w][0:w])
#pragma omp parallel for
            for (size_t y = 0; y < w; ++y)
#pragma acc loop vector
                for (size_t x = 0; x < w; ++x)
                    next[y][x] = c[y][x] - DT * (CURRENT(y, BEFORE(x)) + CURRENT(y, BEHIND(x)) + CURRENT(BEFORE(y), x) + CURRENT(BEHIND(y), x));
        }
        double(*c)[w] = state[(STEPS + 1) % 2];
#pragma acc parallel loop gang vector collapse(2) reduction(+ : energy) present(c[0:w][0:w])
#pragma omp parallel for reduction(+ : energy)
        for (size_t y = 0; y < w; ++y)
            for (size_t x = 0; x < w; ++x) {
                const double dx = c[y][BEHIND(x)] - c[y][x], dy = c[BEHIND(y)][x] - c[y][x], well = c[y][x] * c[y][x] - 1.0;
                energy += well * well / 4.0 + KAPPA / 2.0 * (dx * dx + dy * dy);
            }
    }
    return energy;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIDE >> (args.shift + 1) / 2, n = w * w;
    double *start = NEW(double, n), *mu = NEW(double, n), *last, energy = 0, sum = 0;
    for (int i = 0; i < n; i++)
        start[i] = 0.1 + 0.5 * sin(0.05 * (i % w)) * cos(0.03 * (i / w)) + 0.6 * (number(i) - 0.5);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double *a = NEW(double, n), *b = last = NEW(double, n);
#pragma acc enter data copyin(start[0:n]) create(mu[0:n], a[0:n], b[0:n])
    while (lap(&t))
        energy = unmix(w, start, mu, a, b);
#pragma acc update self(last[0:n])
#else
    double *state = NEW(double, 2 * n);
    last = state + n;
#pragma acc enter data copyin(start[0:n]) create(mu[0:n], state[0:2 * n])
    while (lap(&t))
        energy = unmix(w, (double(*)[w])start, (double(*)[w])mu, (double(*)[w][w])state);
#pragma acc update self(last[0:n])
#endif
    for (int i = 0; i < n; i++)
        sum += fabs(last[i]) * (i % 7 + 1);
    report("unmixing", t.best, sum + energy);
    return 0;
}
