// Price of an Asian option by Monte Carlo, float: 2^18 paths of 64 steps, random numbers of a generator per path.
#include "../kernels.h"

enum { PATHS = 1 << 18, STEPS = 64 };

#if SPELLING == 1
#pragma acc routine seq
static float uniform(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return (*state >> 8) * (1.0f / 16777216);
}

static double price(int paths)
{
    double total = 0;
#pragma acc parallel loop reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
    for (int p = 0; p < paths; p++) {
        unsigned state = mix(p) | 1;
        float s = 100, mean = 0;
        for (int k = 0; k < STEPS; k++) {
            float u = uniform(&state) + uniform(&state) + uniform(&state) + uniform(&state) - 2;
            s *= expf(0.0004f + 0.035f * u);
            mean += s;
        }
        mean /= STEPS;
        total += mean > 100 ? mean - 100 : 0;
    }
    return total / paths;
}
#elif SPELLING == 3
#define XORSHIFT(s) ((s) ^= (s) << 13, (s) ^= (s) >> 17, (s) ^= (s) << 5, ((s) >> 8) / 16777216.0f)
#pragma acc routine seq
static float average_of_path(unsigned seed)
{
    float spot = 100.0f, acc = 0.0f;
    for (int t = 1; t <= STEPS; t++) {
        float g = -2.0f;
        for (int r = 0; r < 4; r++)
            g += XORSHIFT(seed);
        spot = spot * expf(0.0004f + 0.035f * g);
        acc = acc + spot;
    }
    return acc / STEPS;
}
static double price(long npaths)
{
    double payoff = 0;
#pragma acc parallel loop gang vector vector_length(128) reduction(+ : payoff)
    for (long i = 0; i < npaths; i++)
        payoff += fmaxf(average_of_path(mix((unsigned)i) | 1u) - 100.0f, 0.0f);
    return payoff / npaths;
}
#elif SPELLING == 4
typedef struct { unsigned x; } rng_t;
#pragma acc routine seq
static unsigned next_u32(rng_t *g)
{
    unsigned x = g->x;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return g->x = x;
}
static double price(int paths)
{
    const float strike = 100, scale = 1.0f / (1 << 24);
    double total = 0;
#pragma acc parallel loop gang vector_length(64) reduction(+ : total)
    for (int b = 0; b < paths / 64; b++) {
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int i = 0; i < 64; i++) {
            rng_t g = {mix(64 * b + i) | 1};
            float price = 100, mean = 0;
            for (int k = 0; k < STEPS; k++) {
                float u = 0;
                for (int q = 0; q < 4; q++)
                    u += (next_u32(&g) >> 8) * scale;
                price *= expf(0.0004f + 0.035f * (u - 2));
                mean += price;
            }
            mean /= STEPS;
            if (mean > strike)
                sum += mean - strike;
        }
        total += sum;
    }
    return total / paths;
}
#else
typedef struct {
    unsigned state;
} generator;

#define NEXT(g) ((g).state ^= (g).state << 13, (g).state ^= (g).state >> 17, (g).state ^= (g).state << 5, \
                 (float)((g).state >> 8) / 16777216)

static double price(long paths)
{
    double total = 0;
    const float strike = 100, drift = 0.0004f, volatility = 0.035f;
#pragma acc parallel loop gang vector reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
    for (long p = 0; p < paths; p++) {
        generator g = {mix((unsigned)p) | 1};
        float s = strike, sum = 0;
        int step = STEPS;
        while (step-- > 0) {
            float u = -2;
            for (int draw = 0; draw < 4; draw++)
                u += NEXT(g);
            s *= expf(drift + volatility * u);
            sum += s;
        }
        total += fmaxf(sum / STEPS - strike, 0);
    }
    return total / (double)paths;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int paths = PATHS >> args.shift;
    double sum = 0;
    struct watch t = watch(args.repeats);
    while (lap(&t))
        sum = price(paths);
    report("asian", t.best, sum);
    return 0;
}
