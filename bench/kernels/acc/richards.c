// Ten minutes of water in 2^16 columns of soil of 40 layers, double: Richards' equation by three iterations of Picard
// (Celia), each with moisture, capacity and conductivity by van Genuchten's formulas and a tridiagonal system.
#include "../kernels.h"

enum { COLUMNS = 1 << 16, LAYERS = 40, ITERATIONS = 3 };

#define THICK 0.05
#define SPAN 600.0
#define POROSITY 0.4
#define RESIDUE 0.05

#if SPELLING == 1
static void infiltrate(int n, const double *restrict alpha, const double *restrict power,
                       const double *restrict saturated, const double *restrict rain, const double *restrict start,
                       double *restrict head, double *restrict drained)
{
#pragma acc parallel loop gang vector vector_length(64) present(alpha[0:n], power[0:n], saturated[0:n], rain[0:n]) \
    present(start[0:n * LAYERS], head[0:n * LAYERS], drained[0:n])
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        double h[LAYERS], before[LAYERS], water[LAYERS], capacity[LAYERS], k[LAYERS], upper[LAYERS], right[LAYERS];
        double m = 1 - 1 / power[c];
        for (int l = 0; l < LAYERS; l++)
            h[l] = start[l * n + c];
        for (int turn = 0; turn < ITERATIONS; turn++) {
            for (int l = 0; l < LAYERS; l++) {
                if (h[l] < 0) {
                    double s = pow(-alpha[c] * h[l], power[c]), full = pow(1 + s, -m), rest = 1 - pow(s / (1 + s), m);
                    water[l] = RESIDUE + (POROSITY - RESIDUE) * full;
                    capacity[l] = (POROSITY - RESIDUE) * m * power[c] * s / (-h[l] * (1 + s)) * full;
                    k[l] = saturated[c] * sqrt(full) * rest * rest;
                } else {
                    water[l] = POROSITY;
                    capacity[l] = 1e-6;
                    k[l] = saturated[c];
                }
                if (turn == 0)
                    before[l] = water[l];
            }
            for (int l = 0; l < LAYERS; l++) {
                double above = l > 0 ? 0.5 * (k[l - 1] + k[l]) : 0,
                       below = l < LAYERS - 1 ? 0.5 * (k[l] + k[l + 1]) : 0;
                double in = l > 0 ? above * (1 - (h[l] - h[l - 1]) / THICK) : rain[c];
                double out = l < LAYERS - 1 ? below * (1 - (h[l + 1] - h[l]) / THICK) : k[l];
                double a = -above / (THICK * THICK), b = -below / (THICK * THICK), d = capacity[l] / SPAN - a - b;
                double r = (in - out) / THICK - (water[l] - before[l]) / SPAN;
                if (l > 0) {
                    d -= a * upper[l - 1];
                    r -= a * right[l - 1];
                }
                upper[l] = b / d;
                right[l] = r / d;
            }
            for (int l = LAYERS - 2; l >= 0; l--)
                right[l] -= upper[l] * right[l + 1];
            for (int l = 0; l < LAYERS; l++)
                h[l] += right[l];
        }
        for (int l = 0; l < LAYERS; l++)
            head[l * n + c] = h[l];
        drained[c] = k[LAYERS - 1] * SPAN;
    }
}
#else
struct soil { double alpha, power, m, saturated; };
struct layer { double head, was, water, capacity, conductivity; };

static void retain(const struct soil *s, struct layer *l)
{
    if (l->head >= 0) {
        l->water = POROSITY;
        l->capacity = 1e-6;
        l->conductivity = s->saturated;
        return;
    }
    const double x = pow(s->alpha * fabs(l->head), s->power), effective = pow(1 + x, -s->m);
    const double bracket = 1 - pow(x / (1 + x), s->m);
    l->water = RESIDUE + effective * (POROSITY - RESIDUE);
    l->capacity = (POROSITY - RESIDUE) * s->m * s->power * x * effective / (fabs(l->head) * (1 + x));
    l->conductivity = s->saturated * sqrt(effective) * bracket * bracket;
}

#define BETWEEN(a, b) (0.5 * ((a).conductivity + (b).conductivity))

static void infiltrate(size_t n, double *alpha, double *power, double *saturated, double *rain, double *start,
                       double *head, double *drained)
{
#pragma acc data present(alpha[0:n], power[0:n], saturated[0:n], rain[0:n], start[0:n * LAYERS], head[0:n * LAYERS]) \
    present(drained[0:n])
#pragma acc parallel loop
#pragma omp parallel for
    for (size_t c = 0; c < n; ++c) {
        struct layer column[LAYERS];
        double factor[LAYERS], change[LAYERS];
        const struct soil soil = {alpha[c], power[c], 1 - 1 / power[c], saturated[c]};
        const double *from = start + c;
        for (size_t l = 0; l < LAYERS; ++l, from += n)
            column[l].head = *from;
        for (int turn = 0; turn < ITERATIONS; ++turn) {
            for (size_t l = 0; l < LAYERS; ++l) {
                retain(&soil, &column[l]);
                if (!turn)
                    column[l].was = column[l].water;
            }
            double in = rain[c], link = 0, last_factor = 0, last_change = 0;
            for (size_t l = 0; l < LAYERS; ++l) {
                const struct layer *here = &column[l];
                double out = here->conductivity, next = 0;
                if (l + 1 < LAYERS) {
                    next = BETWEEN(here[0], here[1]);
                    out = next * (1 - (here[1].head - here[0].head) / THICK);
                }
                double d =
                    here->capacity / SPAN + (link + next) / (THICK * THICK) + link / (THICK * THICK) * last_factor;
                double r = (in - out) / THICK - (here->water - here->was) / SPAN + link / (THICK * THICK) * last_change;
                factor[l] = last_factor = -next / (THICK * THICK) / d;
                change[l] = last_change = r / d;
                link = next;
                in = out;
            }
            double below = 0;
            for (long l = LAYERS - 1; l >= 0; --l) {
                below = change[l] - factor[l] * below;
                column[l].head += below;
            }
        }
        double *to = head + c;
        for (size_t l = 0; l < LAYERS; ++l, to += n)
            *to = column[l].head;
        drained[c] = SPAN * column[LAYERS - 1].conductivity;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = n * LAYERS;
    double *alpha = NEW(double, n), *power = NEW(double, n), *saturated = NEW(double, n), *rain = NEW(double, n);
    double *start = NEW(double, all), *head = NEW(double, all), *drained = NEW(double, n), sum = 0;
    for (int c = 0; c < n; c++) {
        alpha[c] = 1 + 3 * number(4 * c);
        power[c] = 1.3 + number(4 * c + 1);
        saturated[c] = 1e-6 + 9e-6 * number(4 * c + 2);
        rain[c] = 4e-6 * number(4 * c + 3);
        for (int l = 0; l < LAYERS; l++)
            start[l * n + c] = -2 + 1.7 * l / LAYERS * number(c + 77) - 0.1 * number(l * n + c);
    }
#pragma acc enter data copyin(alpha[0:n], power[0:n], saturated[0:n], rain[0:n], start[0:all]) \
    create(head[0:all], drained[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        infiltrate(n, alpha, power, saturated, rain, start, head, drained);
#pragma acc update self(head[0:all], drained[0:n])
    for (int k = 0; k < all; k++)
        sum += fabs(head[k]);
    for (int c = 0; c < n; c++)
        sum += drained[c] * 100;
    report("richards", t.best, sum);
    return 0;
}
