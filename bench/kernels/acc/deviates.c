// Gaussian deviates by the polar method, double: 2^24 pairs of random numbers of linear congruence, 2^8 per iteration; sums
// of the deviates and how many fall into each of ten annuli.
#include "../kernels.h"

enum { PAIRS = 1 << 24, EACH = 256, ANNULI = 10 };
#define FACTOR 6364136223846793005ull
#define ADDEND_OF 1442695040888963407ull

#if SPELLING == 1
static void deviates(int n, double sums[2], int *restrict counts)
{
    double sx = 0, sy = 0;
#pragma acc parallel loop copy(counts[0:ANNULI]) reduction(+ : sx, sy)
#pragma omp parallel for reduction(+ : sx, sy, counts[:ANNULI])
    for (int i = 0; i < n; i++) {
        unsigned long long state = mix(i) + (unsigned long long)mix(~i) * 4294967296;
        for (int k = 0; k < EACH; k++) {
            state = state * FACTOR + ADDEND_OF;
            double x = 2.0 * (state >> 11) / 9007199254740992.0 - 1;
            state = state * FACTOR + ADDEND_OF;
            double y = 2.0 * (state >> 11) / 9007199254740992.0 - 1;
            double t = x * x + y * y;
            if (t <= 1) {
                double f = sqrt(-2 * log(t) / t);
                int l = (int)fmax(fabs(x * f), fabs(y * f));
#pragma acc atomic update
                counts[l]++;
                sx += x * f;
                sy += y * f;
            }
        }
    }
    sums[0] = sx;
    sums[1] = sy;
}
#else
#pragma acc routine seq
static double next(unsigned long long *state)
{
    *state = *state * FACTOR + ADDEND_OF;
    return (*state >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}

static void deviates(long n, double sums[2], int *counts)
{
    double sx = 0, sy = 0;
    int q[ANNULI] = {0};
#pragma acc parallel loop gang vector reduction(+ : sx, sy, q)
#pragma omp parallel for reduction(+ : sx, sy, q)
    for (long i = 0; i < n; ++i) {
        unsigned long long state = mix((unsigned)i) | (unsigned long long)mix(~(unsigned)i) << 32;
        for (unsigned k = 0; k < EACH; ++k) {
            double x = next(&state), y = next(&state), t = x * x + y * y;
            if (!(t <= 1.0))
                continue;
            t = sqrt(-2.0 * log(t) / t);
            x *= t;
            y *= t;
            q[(int)(fabs(x) > fabs(y) ? fabs(x) : fabs(y))] += 1;
            sx = sx + x;
            sy = sy + y;
        }
    }
    sums[0] = sx;
    sums[1] = sy;
    for (int k = 0; k < ANNULI; ++k)
        counts[k] += q[k];
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (PAIRS >> args.shift) / EACH, counts[ANNULI];
    double sums[2], sum = 0;
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        for (int k = 0; k < ANNULI; k++)
            counts[k] = 0;
        deviates(n, sums, counts);
    }
    for (int k = 0; k < ANNULI; k++)
        sum += (double)counts[k] * (k + 1);
    report("deviates", t.best, sum + sums[0] + sums[1]);
    return 0;
}
