// What a bank may lose if its partner fails: expected and discounted exposures of a netting set of 24 swaps at 40 quarters over 2^16 paths
// of the short rate (Hull and White), double, where up to a threshold no collateral is asked for; and the charge for it (CVA).
#include "../kernels.h"

enum { PATHS = 1 << 16, QUARTERS = 40, YEARS = 10, SWAPS = 24 };

#define MEAN 0.1
#define SIGMA 0.012
#define RATE 0.03
#define LIMIT 6.0
#define HAZARD 0.02

struct swap { double notional, fixed; int years, start; };

#if SPELLING == 1
#pragma acc routine seq
static double gaussian(unsigned k)
{
    double a = (mix(2 * k) + 1.0) / 4294967297.0, b = mix(2 * k + 1) / 4294967296.0;
    return sqrt(-2 * log(a)) * cos(2 * M_PI * b);
}

static double exposures(int paths, const struct swap *restrict swaps, double *restrict expected, double *restrict negative)
{
    const double dt = 0.25, keep = exp(-MEAN * dt), spread = SIGMA * sqrt((1 - exp(-2 * MEAN * dt)) / (2 * MEAN));
#pragma acc data present(swaps[0:SWAPS]) copyout(expected[0:QUARTERS], negative[0:QUARTERS])
    {
#pragma acc parallel loop
        for (int q = 0; q < QUARTERS; q++)
            expected[q] = negative[q] = 0;
#pragma acc parallel loop gang vector vector_length(128)
#pragma omp parallel for
        for (int p = 0; p < paths; p++) {
            double x = 0, discount = 1;
            for (int q = 0; q < QUARTERS; q++) {
                double now = q * dt, bond[YEARS + 1], annuity[YEARS + 1], value = 0;
                int next = (q + 3) / 4;
                double r = RATE + x + 0.5 * SIGMA * SIGMA / (MEAN * MEAN) * (1 - exp(-MEAN * now)) * (1 - exp(-MEAN * now));
                annuity[0] = 0;
                for (int y = 1; y <= YEARS; y++) {
                    double left = y - now, b = (1 - exp(-MEAN * left)) / MEAN;
                    double variance = SIGMA * SIGMA * (1 - exp(-2 * MEAN * now)) / (2 * MEAN);
                    bond[y] = y < next ? 0 : exp(-RATE * left + b * (RATE - r) - 0.5 * variance * b * b);
                    annuity[y] = annuity[y - 1] + bond[y];
                }
                bond[0] = 1;
                for (int s = 0; s < SWAPS; s++) {
                    int from = swaps[s].start > next ? swaps[s].start : next, to = swaps[s].years;
                    if (to <= from)
                        continue;
                    value += swaps[s].notional *
                             (bond[from] - bond[to] - swaps[s].fixed * (annuity[to] - annuity[from]));
                }
                double up = value > LIMIT ? LIMIT : value > 0 ? value : 0, down = value < 0 ? -value : 0;
#pragma acc atomic update
#pragma omp atomic
                expected[q] += discount * up;
#pragma acc atomic update
#pragma omp atomic
                negative[q] += discount * down;
                discount *= exp(-r * dt);
                x = x * keep + spread * gaussian(p * QUARTERS + q);
            }
        }
    }
    double charge = 0;
    for (int q = 0; q < QUARTERS; q++) {
        expected[q] /= paths;
        negative[q] /= paths;
        charge += 0.6 * expected[q] * (exp(-HAZARD * q * dt) - exp(-HAZARD * (q + 1) * dt));
    }
    return charge;
}
#else
typedef struct { double up, down; } pair;

#define DT (1.0 / 4)
#define DECAY(t) ((1 - exp(-MEAN * (t))) / MEAN)
#define SQUARE(v) ((v) * (v))

// First the paths, then all quarters at once.
static double exposures(size_t paths, const struct swap *swaps, double *rate, double *discount, pair *mean)
{
    const double keep = exp(-MEAN * DT), spread = SIGMA * sqrt(-expm1(-2 * MEAN * DT) / (2 * MEAN));
#pragma acc kernels present(rate[0:paths * QUARTERS], discount[0:paths * QUARTERS])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t p = 0; p < paths; ++p) {
            double x = 0, d = 1;
            for (unsigned q = 0; q < QUARTERS; ++q) {
                const unsigned k = 2 * (p * QUARTERS + q);
                const double r = RATE + x + 0.5 * SQUARE(SIGMA * DECAY(q * DT));
                rate[q * paths + p] = r;
                discount[q * paths + p] = d;
                d *= exp(-r * DT);
                x = keep * x + spread * sqrt(-2 * log((mix(k) + 1.0) / 4294967297.0)) * cos(2 * M_PI * (mix(k + 1) / 4294967296.0));
            }
        }
    }
#pragma acc data copyout(mean[0:QUARTERS])
    {
#pragma acc parallel loop gang present(swaps[0:SWAPS], rate[0:paths * QUARTERS], discount[0:paths * QUARTERS]) \
    num_workers(8) vector_length(32)
#pragma omp parallel for
        for (unsigned q = 0; q < QUARTERS; ++q) {
            const double now = q * DT, variance = SQUARE(SIGMA) * -expm1(-2 * MEAN * now) / (2 * MEAN);
            const int next = (q + 3) / 4;
            double up = 0, down = 0, fall[YEARS + 1], base[YEARS + 1];
            for (int y = 0; y <= YEARS; ++y) {
                fall[y] = y < next ? 0 : DECAY(y - now);
                base[y] = fall[y] * RATE - RATE * (y - now) - 0.5 * variance * SQUARE(fall[y]);
            }
#pragma acc loop worker vector reduction(+ : up, down)
            for (size_t p = 0; p < paths; ++p) {
                double bond[YEARS + 1] = {1}, annuity[YEARS + 1] = {0}, value = 0;
                for (int y = 1; y <= YEARS; ++y) {
                    bond[y] = y < next ? 0 : exp(base[y] - fall[y] * rate[q * paths + p]);
                    annuity[y] = annuity[y - 1] + bond[y];
                }
                for (const struct swap *s = swaps; s < swaps + SWAPS; ++s) {
                    const int from = s->start > next ? s->start : next;
                    if (from < s->years)
                        value += s->notional * (bond[from] - bond[s->years] - s->fixed * (annuity[s->years] - annuity[from]));
                }
                up += discount[q * paths + p] * fmin(LIMIT, fmax(value, 0));
                down += discount[q * paths + p] * fmax(-value, 0);
            }
            mean[q].up = up / paths;
            mean[q].down = down / paths;
        }
    }
    double charge = 0;
    for (unsigned q = 0; q < QUARTERS; ++q)
        charge += 0.6 * mean[q].up * (exp(-HAZARD * q * DT) - exp(-HAZARD * (q + 1) * DT));
    return charge;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int paths = PATHS >> args.shift;
    struct swap swaps[SWAPS];
    double sum = 0, charge = 0;
    for (int s = 0; s < SWAPS; s++) {
        swaps[s].years = 2 + mix(s) % (YEARS - 1);
        swaps[s].start = mix(s + 100) % 2;
        swaps[s].fixed = 0.02 + 0.02 * number(s);
        swaps[s].notional = (s % 3 ? 10 : -8) * (1 + number(s + 200));
    }
#pragma acc enter data copyin(swaps)
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    double expected[QUARTERS], negative[QUARTERS];
    while (lap(&t))
        charge = exposures(paths, swaps, expected, negative);
    for (int q = 0; q < QUARTERS; q++)
        sum += expected[q] + 0.5 * negative[q];
#else
    double *rate = NEW(double, (size_t)paths * QUARTERS), *discount = NEW(double, (size_t)paths * QUARTERS);
    pair mean[QUARTERS];
#pragma acc enter data create(rate[0:paths * QUARTERS], discount[0:paths * QUARTERS])
    while (lap(&t))
        charge = exposures(paths, swaps, rate, discount, mean);
    for (int q = 0; q < QUARTERS; q++)
        sum += mean[q].up + 0.5 * mean[q].down;
#endif
    report("exposure", t.best, sum + charge);
    return 0;
}
