// Rates of 24 reactions among 12 species in 131072 cells, double: powers of the temperature, exponentials, products of concentrations.
#include "../kernels.h"

enum { CELLS = 1 << 17, SPECIES = 12, REACTIONS = 24 };

static const double factor[REACTIONS] = {1.2, 0.3, 2.5, 0.7, 1.9, 0.1, 3.3, 0.8, 1.1, 0.6, 2.2, 0.4,
                                         1.7, 0.9, 0.2, 2.8, 1.3, 0.5, 1.4, 2.1, 0.35, 1.05, 0.75, 1.6};
static const double power[REACTIONS] = {0.5, 0, 1, -0.5, 0, 0.25, 1.5, 0, -1, 0.5, 0, 1, 0, 0.75, -0.25, 0, 0.5, 1, 0, 0, -0.5, 1.25, 0, 0.5};
static const double energy[REACTIONS] = {900, 1500, 300, 2200, 700, 1200, 450, 3100, 600, 1800, 2500, 350,
                                         950, 1350, 2750, 500, 1650, 800, 1100, 2050, 400, 2900, 1250, 1900};
static const int from[REACTIONS][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}, {10, 11}, {11, 0},
                                       {0, 2}, {1, 3}, {2, 4}, {3, 5}, {4, 6}, {5, 7}, {6, 8}, {7, 9}, {8, 10}, {9, 11}, {10, 0}, {11, 1}};
static const int to[REACTIONS][2] = {{2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {9, 10}, {10, 11}, {11, 0}, {0, 1}, {1, 2},
                                     {4, 7}, {5, 8}, {6, 9}, {7, 10}, {8, 11}, {9, 0}, {10, 1}, {11, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 6}};

#if SPELLING == 1
static void rates(int n, const double *restrict temperature, const double *restrict amount, double *restrict change)
{
#pragma acc parallel loop present(temperature[0:n], amount[0:n * SPECIES], change[0:n * SPECIES]) copyin(factor, power, energy, from, to)
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double t = temperature[c], logarithm = log(t), made[SPECIES];
        for (int s = 0; s < SPECIES; s++)
            made[s] = 0;
        for (int r = 0; r < REACTIONS; r++) {
            double k = factor[r] * exp(power[r] * logarithm - energy[r] / t);
            double rate = k * amount[from[r][0] * n + c] * amount[from[r][1] * n + c];
            made[from[r][0]] -= rate;
            made[from[r][1]] -= rate;
            made[to[r][0]] += rate;
            made[to[r][1]] += rate;
        }
        for (int s = 0; s < SPECIES; s++)
            change[s * n + c] = made[s];
    }
}
#else
struct cell { double made[SPECIES]; };
#define RATE(r) (factor[r] * pow(t, power[r]) * exp(-energy[r] / t))

static void add(struct cell *cell, const int which[2], double rate)
{
    cell->made[which[0]] += rate;
    cell->made[which[1]] += rate;
}

static void rates(size_t n, double *temperature, double *amount, double *change)
{
#pragma acc kernels present(temperature[0:n], amount[0:n * SPECIES], change[0:n * SPECIES])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t c = 0; c < n; ++c) {
        const double t = temperature[c];
        struct cell cell = {{0}};
        for (size_t r = 0; r < REACTIONS; ++r) {
            double rate = RATE(r) * amount[from[r][0] * n + c] * amount[from[r][1] * n + c];
            add(&cell, from[r], -rate);
            add(&cell, to[r], rate);
        }
        for (size_t s = 0; s < SPECIES; ++s)
            change[s * n + c] = cell.made[s];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CELLS >> args.shift, all = n * SPECIES;
    double *temperature = NEW(double, n), *amount = NEW(double, all), *change = NEW(double, all), sum = 0;
    for (int k = 0; k < n; k++)
        temperature[k] = 500 + 1500 * number(k);
    FILL(amount, all, 1);
#pragma acc enter data copyin(temperature[0:n], amount[0:all]) create(change[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        rates(n, temperature, amount, change);
#pragma acc update self(change[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(change[k]);
    report("rates", t.best, sum);
    return 0;
}
