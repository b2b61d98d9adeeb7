// A portfolio of 15 swaptions in the LIBOR market model by Monte Carlo, float: 2^17 paths of 80 forward rates, 40 steps each, in an array of
// the path's own.
#include "../kernels.h"

enum { PATHS = 1 << 17, RATES = 80, STEPS = 40, OPTIONS = 15 };

#define DELTA 0.25f

#if SPELLING == 1
#pragma acc routine seq
static float deviate(int path, int step)
{
    unsigned h = mix(path * STEPS + step);
    return ((h & 1023) + (h >> 10 & 1023) + (h >> 20 & 1023)) / 512.0f - 3.0f;
}

#pragma acc routine seq
static void evolve(float *l, int path, const float *volatility)
{
    for (int n = 0; n < STEPS; n++) {
        float sqez = sqrtf(DELTA) * deviate(path, n), v = 0;
        for (int i = n + 1; i < RATES; i++) {
            float lam = volatility[i - n - 1], con1 = DELTA * lam;
            v += con1 * l[i] / (1.0f + DELTA * l[i]);
            l[i] = l[i] * expf(con1 * v + lam * (sqez - 0.5f * con1));
        }
    }
}

#pragma acc routine seq
static float portfolio(const float *l, const int *maturities, const float *swaprates)
{
    float bonds[STEPS], swaps[STEPS], b = 1, s = 0, v = 0;
    for (int n = STEPS; n < RATES; n++) {
        b = b / (1.0f + DELTA * l[n]);
        s = s + DELTA * b;
        bonds[n - STEPS] = b;
        swaps[n - STEPS] = s;
    }
    for (int i = 0; i < OPTIONS; i++) {
        int m = maturities[i] - 1;
        float value = bonds[m] + swaprates[i] * swaps[m] - 1.0f;
        if (value < 0)
            v += -100.0f * value;
    }
    for (int n = 0; n < STEPS; n++)
        v = v / (1.0f + DELTA * l[n]);
    return v;
}

static void price(int paths, const float *restrict volatility, const int *restrict maturities, const float *restrict swaprates,
                  float *restrict values)
{
#pragma acc parallel loop present(volatility[0:RATES], maturities[0:OPTIONS], swaprates[0:OPTIONS], values[0:paths])
#pragma omp parallel for
    for (int p = 0; p < paths; p++) {
        float l[RATES];
        for (int i = 0; i < RATES; i++)
            l[i] = 0.05f;
        evolve(l, p, volatility);
        values[p] = portfolio(l, maturities, swaprates);
    }
}
#else
struct market { float volatility[RATES], swaprates[OPTIONS]; int maturities[OPTIONS]; };

#define DISCOUNT(rate) (1.0f / (1.0f + DELTA * (rate)))

static void price(size_t paths, struct market *market, float *values)
{
#pragma acc parallel loop gang vector vector_length(128) present(market[0:1], values[0:paths])
#pragma omp parallel for
    for (size_t p = 0; p < paths; ++p) {
        float l[RATES], bond[STEPS], swap[STEPS];
        for (size_t i = 0; i < RATES; ++i)
            l[i] = 0.05f;
        for (size_t n = 0; n < STEPS; ++n) {
            const unsigned h = mix((unsigned)(p * STEPS + n));
            const float z = ((h & 1023) + ((h >> 10) & 1023) + ((h >> 20) & 1023)) * (1 / 512.0f) - 3;
            float drift = 0;
            for (size_t i = n + 1; i < RATES; ++i) {
                const float lambda = market->volatility[i - n - 1], c = DELTA * lambda;
                drift += c * l[i] * DISCOUNT(l[i]);
                l[i] *= expf(c * drift + lambda * (0.5f * z - 0.5f * c));
            }
        }
        float b = 1, s = 0, v = 0;
        for (size_t n = STEPS; n < RATES; ++n) {
            b *= DISCOUNT(l[n]);
            s += DELTA * b;
            bond[n - STEPS] = b;
            swap[n - STEPS] = s;
        }
        for (size_t o = 0; o < OPTIONS; ++o) {
            const int m = market->maturities[o] - 1;
            const float worth = bond[m] + market->swaprates[o] * swap[m] - 1;
            v += worth < 0 ? -100 * worth : 0;
        }
        for (size_t n = 0; n < STEPS; ++n)
            v *= DISCOUNT(l[n]);
        values[p] = v;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int paths = PATHS >> args.shift;
    float volatility[RATES], swaprates[OPTIONS], *values = NEW(float, paths);
    int maturities[OPTIONS] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};
    double sum = 0;
    for (int k = 0; k < RATES; k++)
        volatility[k] = 0.2f + 0.001f * (k % 20);
    for (int k = 0; k < OPTIONS; k++)
        swaprates[k] = 0.045f + 0.005f * (k % 3);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(volatility[0:RATES], maturities[0:OPTIONS], swaprates[0:OPTIONS]) create(values[0:paths])
    while (lap(&t))
        price(paths, volatility, maturities, swaprates, values);
#else
    struct market market;
    for (int k = 0; k < RATES; k++)
        market.volatility[k] = volatility[k];
    for (int k = 0; k < OPTIONS; k++)
        market.swaprates[k] = swaprates[k], market.maturities[k] = maturities[k];
#pragma acc enter data copyin(market) create(values[0:paths])
    while (lap(&t))
        price(paths, &market, values);
#endif
#pragma acc update self(values[0:paths])
    SUM(sum, values, paths);
    report("libor", t.best, sum);
    return 0;
}
