// American put options by binomial trees, float: 2048 options, 1024 steps each; the values of a step are made of those of the
// step behind it.
#include "../kernels.h"

enum { OPTIONS = 2048, STEPS = 1024 };

#if SPELLING == 1
static void prices(int n, const float *restrict strikes, const float *restrict years, float *restrict result)
{
#pragma acc parallel loop gang present(strikes[0:n], years[0:n], result[0:n])
#pragma omp parallel for
    for (int o = 0; o < n; o++) {
        float values[STEPS + 1], next[STEPS + 1];
        float step = years[o] / STEPS, root = 0.3f * sqrtf(step), up = expf(root), down = 1 / up, strike = strikes[o];
        float discount = expf(-0.02f * step), chance = (1 / discount - down) / (up - down);
#pragma acc loop vector
        for (int i = 0; i <= STEPS; i++)
            values[i] = fmaxf(strike - 100 * expf(root * (2 * i - STEPS)), 0);
        for (int t = STEPS - 1; t >= 0; t--) {
#pragma acc loop vector
            for (int i = 0; i <= t; i++)
                next[i] = fmaxf(discount * (chance * values[i + 1] + (1 - chance) * values[i]),
                                strike - 100 * expf(root * (2 * i - t)));
#pragma acc loop vector
            for (int i = 0; i <= t; i++)
                values[i] = next[i];
        }
        result[o] = values[0];
    }
}
#else
#define PUT(strike, price) ((strike) > (price) ? (strike) - (price) : 0.0f)

static void prices(unsigned n, float *strikes, float *years, float *result)
{
#pragma acc parallel present(strikes[0:n], years[0:n], result[0:n])
#pragma acc loop gang
#pragma omp parallel for
    for (unsigned o = 0; o < n; ++o) {
        float tree[2][STEPS + 1], strike = strikes[o], step = years[o] / STEPS, root = 0.3f * sqrtf(step);
        float up = expf(root), discount = expf(-0.02f * step), rise = (1 / discount - 1 / up) / (up - 1 / up);
        unsigned from = 0;
#pragma acc loop vector
        for (int i = 0; i < STEPS + 1; ++i)
            tree[0][i] = PUT(strike, 100.0f * expf(root * (float)(2 * i - STEPS)));
#pragma acc loop seq
        for (int t = STEPS; t > 0; --t) {
#pragma acc loop vector
            for (int i = 0; i < t; ++i) {
                float wait = discount * (rise * tree[from][i + 1] + (1 - rise) * tree[from][i]);
                float now = strike - 100.0f * expf(root * (float)(2 * i - t + 1));
                tree[1 - from][i] = wait > now ? wait : now;
            }
            from = 1 - from;
        }
        result[o] = tree[from][0];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = OPTIONS >> args.shift;
    float *strikes = NEW(float, n), *years = NEW(float, n), *result = NEW(float, n);
    double sum = 0;
    for (int o = 0; o < n; o++)
        strikes[o] = 80 + 40 * number(2 * o), years[o] = 0.25 + 2 * number(2 * o + 1);
#pragma acc enter data copyin(strikes[0:n], years[0:n]) create(result[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        prices(n, strikes, years, result);
#pragma acc update self(result[0:n])
    SUM(sum, result, n);
    report("binomial", t.best, sum);
    return 0;
}
