// Energy that storms can take from the air of 2^14 columns of 48 levels, double: parcels from each of the lowest eight levels are lifted, dry until they are
// saturated, then along moist adiabats by Runge and Kutta's method; the most energy of a column, what holds its parcel back, and where that began.
#include "../kernels.h"

enum { COLUMNS = 1 << 14, LEVELS = 48, STARTS = 8, STEPS = 2 };

#define KAPPA 0.2857
#define GAS 287.04
#define VAPOUR 461.5
#define HEAT 1004.0
#define LATENT 2.501e6
#define EPSILON 0.622

#if SPELLING == 1
static inline double saturated(double p, double t)
{
    double e = 611.2 * exp(17.67 * (t - 273.15) / (t - 29.65));
    return EPSILON * e / (p - e);
}

static inline double moist(double p, double t)
{
    double r = saturated(p, t);
    return (GAS * t + LATENT * r) / (p * (HEAT + LATENT * LATENT * r * EPSILON / (GAS * t * t)));
}

// Levels are [level][column], from the ground up; pressures in Pa, temperatures in K, vapour as a ratio of mixing.
static void lift(int n, const double *restrict p, const double *restrict t, const double *restrict r, double *restrict energy, double *restrict hold,
                 double *restrict most, double *restrict barrier, int *restrict origin)
{
#pragma acc data present(p[0:LEVELS * n], t[0:LEVELS * n], r[0:LEVELS * n], energy[0:STARTS * n], hold[0:STARTS * n], most[0:n], barrier[0:n], origin[0:n])
    {
#pragma acc parallel loop gang vector collapse(2) vector_length(128)
#pragma omp parallel for collapse(2)
        for (int s = 0; s < STARTS; s++)
            for (int c = 0; c < n; c++) {
                double pressure = p[s * n + c], temperature = t[s * n + c], vapour = r[s * n + c], before = 0, positive = 0, negative = 0;
                int wet = 0, free = 0;
#pragma acc loop seq
                for (int l = s + 1; l < LEVELS; l++) {
                    double above = p[l * n + c], part = log(pressure / above);
                    if (!wet) {
                        double dry = temperature * pow(above / pressure, KAPPA);
                        if (saturated(above, dry) <= vapour)
                            wet = 1;
                        else
                            temperature = dry;
                    }
                    if (wet) {
                        double step = (above - pressure) / STEPS, now = pressure;
                        for (int k = 0; k < STEPS; k++) {
                            double k1 = moist(now, temperature), k2 = moist(now + 0.5 * step, temperature + 0.5 * step * k1);
                            double k3 = moist(now + 0.5 * step, temperature + 0.5 * step * k2), k4 = moist(now + step, temperature + step * k3);
                            temperature += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
                            now += step;
                        }
                        vapour = saturated(above, temperature);
                    }
                    double inside = temperature * (1 + vapour / EPSILON) / (1 + vapour), outside = t[l * n + c] * (1 + r[l * n + c] / EPSILON) / (1 + r[l * n + c]);
                    double buoyancy = GAS * (inside - outside), mean = 0.5 * (before + buoyancy) * part;
                    if (mean > 0) {
                        positive += mean;
                        free = 1;
                    } else if (!free)
                        negative -= mean;
                    before = buoyancy;
                    pressure = above;
                }
                energy[s * n + c] = positive;
                hold[s * n + c] = negative;
            }
#pragma acc parallel loop
#pragma omp parallel for
        for (int c = 0; c < n; c++) {
            double best = -1;
            int from = 0;
            for (int s = 0; s < STARTS; s++)
                if (energy[s * n + c] > best) {
                    best = energy[s * n + c];
                    from = s;
                }
            most[c] = best;
            barrier[c] = hold[from * n + c];
            origin[c] = from;
        }
    }
}
#else
struct air { double p, t, r; };
struct storm { double energy, hold; int origin; };

#define PRESSURE(t) (611.2 * exp(17.67 * ((t) - 273.15) / ((t) - 29.65)))

#pragma acc routine seq
static double mixing(double p, double t) { return EPSILON * PRESSURE(t) / (p - PRESSURE(t)); }

#pragma acc routine seq
static double virtual_temperature(double t, double r) { return t * (1 + r / EPSILON) / (1 + r); }

#pragma acc routine seq
static double slope(double p, double t)
{
    double r = mixing(p, t);
    return (GAS * t + LATENT * r) / (HEAT + LATENT * LATENT * r * EPSILON / (GAS * t * t)) / p;
}

#pragma acc routine seq
static double along_adiabat(double from, double to, double t)
{
    double step = (to - from) / STEPS;
    for (int k = 0; k < STEPS; ++k, from += step) {
        double k1 = slope(from, t), k2 = slope(from + step / 2, t + step / 2 * k1), k3 = slope(from + step / 2, t + step / 2 * k2);
        t += (k1 + 2 * k2 + 2 * k3 + slope(from + step, t + step * k3)) * step / 6;
    }
    return t;
}

// A column's levels lie together; what is around its parcels is found first.
static void lift(size_t n, struct air (*columns)[LEVELS], double (*around)[LEVELS], struct storm (*parcels)[STARTS], struct storm *storms)
{
#pragma acc data present(columns[0:n], around[0:n], parcels[0:n], storms[0:n])
    {
#pragma acc parallel loop collapse(2) async
#pragma omp parallel for
        for (size_t c = 0; c < n; ++c)
            for (int l = 0; l < LEVELS; ++l)
                around[c][l] = virtual_temperature(columns[c][l].t, columns[c][l].r);
#pragma acc parallel loop gang vector_length(32) num_workers(8) async
#pragma omp parallel for
        for (size_t block = 0; block < n; block += 32) {
#pragma acc loop worker
            for (int s = 0; s < STARTS; ++s) {
#pragma acc loop vector
                for (size_t c = block; c < (block + 32 < n ? block + 32 : n); ++c) {
                    struct air parcel = columns[c][s];
                    double dry = parcel.t / pow(parcel.p, KAPPA), last = 0, positive = 0, negative = 0;
                    _Bool free = 0, wet = 0;
                    for (int l = s + 1; l < LEVELS; ++l) {
                        double to = columns[c][l].p, t = dry * pow(to, KAPPA), part = log(parcel.p / to);
                        wet = wet || mixing(to, t) <= parcel.r;
                        parcel.t = wet ? along_adiabat(parcel.p, to, parcel.t) : t;
                        parcel.p = to;
                        if (wet)
                            parcel.r = mixing(to, parcel.t);
                        double buoyancy = GAS * (virtual_temperature(parcel.t, parcel.r) - around[c][l]), mean = (last + buoyancy) / 2 * part;
                        free = free || mean > 0;
                        positive += mean > 0 ? mean : 0;
                        negative += free ? 0 : -mean;
                        last = buoyancy;
                    }
                    parcels[c][s] = (struct storm){positive, negative, s};
                }
            }
        }
#pragma acc parallel loop gang vector async
#pragma omp parallel for
        for (size_t c = 0; c < n; ++c) {
            struct storm best = parcels[c][0];
            for (int s = 1; s < STARTS; ++s)
                if (parcels[c][s].energy > best.energy)
                    best = parcels[c][s];
            storms[c] = best;
        }
#pragma acc wait
    }
}
#endif

// Warm and humid near the ground, with a lid of warmer air above it and a stratosphere.
static void weather(int n, double *p, double *t, double *r)
{
    for (int c = 0; c < n; c++) {
        double warm = 296 + 8 * number(c), humid = 0.6 + 0.35 * number(c + 1000003), lid = 3 * number(c + 2000003), lapse = 0.0062 + 0.0008 * number(c + 3000017);
        for (int l = 0; l < LEVELS; l++) {
            double height = 150.0 * l + 3.2 * l * l, cool = warm - lapse * height + (l >= 8 && l < 14 ? lid : 0) + 0.2 * number(c * LEVELS + l);
            cool = fmax(cool, 208);
            p[l * n + c] = 1e5 * exp(-height / 7600);
            t[l * n + c] = cool;
            double e = 611.2 * exp(17.67 * (cool - 273.15) / (cool - 29.65));
            r[l * n + c] = humid * exp(-height / 5000) * EPSILON * e / (p[l * n + c] - e);
        }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = COLUMNS >> args.shift, all = n * LEVELS, *origin = NEW(int, n);
    double *p = NEW(double, all), *t = NEW(double, all), *r = NEW(double, all), *most = NEW(double, n), *barrier = NEW(double, n), sum = 0;
    weather(n, p, t, r);
#if SPELLING == 1
    double *energy = NEW(double, STARTS * n), *hold = NEW(double, STARTS * n);
#pragma acc enter data copyin(p[0:all], t[0:all], r[0:all]) create(energy[0:STARTS * n], hold[0:STARTS * n], most[0:n], barrier[0:n], origin[0:n])
#else
    struct air *columns = NEW(struct air, all);
    struct storm *storms = NEW(struct storm, n), *parcels = NEW(struct storm, n * STARTS);
    double *around = NEW(double, all);
    for (int c = 0; c < n; c++)
        for (int l = 0; l < LEVELS; l++)
            columns[c * LEVELS + l] = (struct air){p[l * n + c], t[l * n + c], r[l * n + c]};
#pragma acc enter data copyin(columns[0:all]) create(storms[0:n], parcels[0:n * STARTS], around[0:all])
#endif
    struct watch watched = watch(args.repeats);
    while (lap(&watched)) {
#if SPELLING == 1
        lift(n, p, t, r, energy, hold, most, barrier, origin);
#else
        lift(n, (void *)columns, (void *)around, (void *)parcels, storms);
#endif
    }
#if SPELLING == 1
#pragma acc update self(most[0:n], barrier[0:n], origin[0:n])
#else
#pragma acc update self(storms[0:n])
    for (int c = 0; c < n; c++) {
        most[c] = storms[c].energy;
        barrier[c] = storms[c].hold;
        origin[c] = storms[c].origin;
    }
#endif
    for (int c = 0; c < n; c++)
        sum += most[c] + barrier[c] + 10 * origin[c];
    report("updraft", watched.best, sum);
    return 0;
}
