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
