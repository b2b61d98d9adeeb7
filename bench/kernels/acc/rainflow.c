// Fatigue by rainflow counting: 2^16 histories of 256 loads, float, load k of all together; cycles are taken off a stack of turning points, and each adds
// a power of its range to the damage.
#include "../kernels.h"

enum { HISTORIES = 1 << 16, LOADS = 256 };

#if SPELLING == 1
static float harm(float range) { return range * range * range * range * range; }

static void count(int n, const float *restrict load, float *restrict damage, int *restrict cycles)
{
#pragma acc parallel loop gang vector vector_length(128) present(load[0:n * LOADS], damage[0:n], cycles[0:n])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        float stack[LOADS], total = 0;
        int top = 0, full = 0;
        for (int k = 0; k < LOADS; k++) {
            float x = load[k * n + s];
            if (k > 0 && k < LOADS - 1) {
                float before = load[(k - 1) * n + s], after = load[(k + 1) * n + s];
                if ((x - before) * (after - x) >= 0)
                    continue;
            }
            stack[top++] = x;
            while (top >= 3) {
                float last = fabsf(stack[top - 1] - stack[top - 2]), previous = fabsf(stack[top - 2] - stack[top - 3]);
                if (last < previous)
                    break;
                if (top == 3) {
                    total += 0.5f * harm(previous);
                    stack[0] = stack[1];
                    stack[1] = stack[2];
                    top = 2;
                } else {
                    total += harm(previous);
                    stack[top - 3] = stack[top - 1];
                    top -= 2;
                    full++;
                }
            }
        }
        for (int k = 1; k < top; k++)
            total += 0.5f * harm(fabsf(stack[k] - stack[k - 1]));
        damage[s] = total;
        cycles[s] = full;
    }
}
#else
#define RANGE(a, b) fabsf((a) - (b))

#pragma acc routine seq
static inline float fifth(float r)
{
    float r2 = r * r;
    return r2 * r2 * r;
}

static void count(long n, float (*load)[n], float (*turn)[n], float (*stack)[n], unsigned short *turns, float *damage, int *cycles)
{
#pragma acc kernels loop independent present(load[0:LOADS][0:n], turn[0:LOADS][0:n], turns[0:n])
#pragma omp parallel for
    for (long s = 0; s < n; ++s) {
        unsigned m = 0;
        turn[m++][s] = load[0][s];
        float before = load[0][s], x = load[1][s];
#pragma acc loop seq
        for (int k = 2; k < LOADS; ++k) {
            float after = load[k][s];
            if ((before < x && after < x) || (before > x && after > x))
                turn[m++][s] = x;
            before = x;
            x = after;
        }
        turn[m++][s] = x;
        turns[s] = m;
    }
#pragma acc kernels loop independent present(turn[0:LOADS][0:n], stack[0:LOADS][0:n], turns[0:n], damage[0:n], cycles[0:n])
#pragma omp parallel for
    for (long s = 0; s < n; ++s) {
        float total = 0;
        int top = 0, full = 0, m = turns[s];
#pragma acc loop seq
        for (int k = 0; k < m; ++k) {
            float c = turn[k][s];
            while (top >= 2) {
                float a = stack[top - 2][s], b = stack[top - 1][s];
                if (RANGE(c, b) < RANGE(b, a))
                    break;
                if (top == 2) {
                    total += 0.5f * fifth(RANGE(b, a));
                    stack[0][s] = b;
                    top = 1;
                } else {
                    total += fifth(RANGE(b, a));
                    ++full;
                    top -= 2;
                }
            }
            stack[top++][s] = c;
        }
#pragma acc loop seq
        for (int k = 1; k < top; ++k)
            total += 0.5f * fifth(RANGE(stack[k][s], stack[k - 1][s]));
        damage[s] = total;
        cycles[s] = full;
    }
}
#endif

// A slow swing of each history's own, and noise.
static void shake(int n, float *load)
{
    for (int k = 0; k < LOADS; k++)
        for (int s = 0; s < n; s++)
            load[k * n + s] = number(k * n + s) + sin((0.02 + 0.1 * number(s + 5)) * k);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = HISTORIES >> args.shift, all = n * LOADS, *cycles = NEW(int, n);
    float *load = NEW(float, all), *damage = NEW(float, n);
    double sum = 0;
    shake(n, load);
#pragma acc enter data copyin(load[0:all]) create(damage[0:n], cycles[0:n])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    while (lap(&t))
        count(n, load, damage, cycles);
#else
    float *turn = NEW(float, all), *stack = NEW(float, all);
    unsigned short *turns = NEW(unsigned short, n);
    float(*l)[n] = (void *)load, (*p)[n] = (void *)turn, (*q)[n] = (void *)stack;
#pragma acc enter data create(turn[0:all], stack[0:all], turns[0:n])
    while (lap(&t))
        count(n, l, p, q, turns, damage, cycles);
#endif
#pragma acc update self(damage[0:n], cycles[0:n])
    for (int k = 0; k < n; k++)
        sum += damage[k] * (1 + k % 7) + cycles[k];
    report("rainflow", t.best, sum);
    return 0;
}
