// Velocities of seismic waves from a gather of 96 traces of 2000 floats: for each of 1000 times and 128 velocities the
// samples along a hyperbola, between two of a trace each, the energy of their sum beside the sum of their energies in a
// window of 11 times; and each time's best velocity.
#include "../kernels.h"

enum { TRACES = 96, SAMPLES = 2000, TIMES = 1000, VELOCITIES = 128, HALF = 5 };

#define DT 0.004f
#define SLOWEST 1500.0f
#define APART 25.0f
#define SPACING 50.0f

#if SPELLING == 1
static void analyse(int times, const float *restrict gather, float *restrict over, float *restrict under,
                    float *restrict coherence, int *restrict best)
{
#pragma acc parallel loop gang vector collapse(2) \
    present(gather[0:TRACES * SAMPLES], over[0:times * VELOCITIES], under[0:times * VELOCITIES])
#pragma omp parallel for
    for (int i = 0; i < times; i++)
        for (int j = 0; j < VELOCITIES; j++) {
            float t0 = i * DT, v = SLOWEST + j * APART, sum = 0, energy = 0;
            for (int k = 0; k < TRACES; k++) {
                float x = (k + 1) * SPACING, at = sqrtf(t0 * t0 + x * x / (v * v)) / DT;
                int first = (int)at;
                if (first < SAMPLES - 1) {
                    float part = at - first;
                    float value = (1 - part) * gather[k * SAMPLES + first] + part * gather[k * SAMPLES + first + 1];
                    sum += value;
                    energy += value * value;
                }
            }
            over[i * VELOCITIES + j] = sum * sum;
            under[i * VELOCITIES + j] = energy;
        }
#pragma acc parallel loop gang vector_length(128) \
    present(over[0:times * VELOCITIES], under[0:times * VELOCITIES], coherence[0:times * VELOCITIES], best[0:times])
#pragma omp parallel for
    for (int i = 0; i < times; i++) {
        float most = -1;
        int place = VELOCITIES;
        int begin = i < HALF ? 0 : i - HALF, end = i + HALF >= times ? times - 1 : i + HALF;
#pragma acc loop vector reduction(max : most)
        for (int j = 0; j < VELOCITIES; j++) {
            float o = 0, u = 1e-6f;
            for (int w = begin; w <= end; w++) {
                o += over[w * VELOCITIES + j];
                u += under[w * VELOCITIES + j];
            }
            float s = o / (TRACES * u);
            coherence[i * VELOCITIES + j] = s;
            most = fmaxf(most, s);
        }
#pragma acc loop vector reduction(min : place)
        for (int j = 0; j < VELOCITIES; j++)
            if (coherence[i * VELOCITIES + j] == most && j < place)
                place = j;
        best[i] = place;
    }
}
#else
typedef float trace[SAMPLES];
typedef float row[VELOCITIES];

static inline float between(const float *samples, float at)
{
    unsigned whole = (unsigned)at;
    if (whole + 1 >= SAMPLES)
        return 0;
    return samples[whole] + (at - whole) * (samples[whole + 1] - samples[whole]);
}

static void analyse(size_t times, const trace *gather, row *over, row *under, row *coherence, int *best)
{
#pragma acc data present(gather[0:TRACES], over[0:times], under[0:times], coherence[0:times], best[0:times])
    {
#pragma acc parallel loop gang
#pragma omp parallel for
        for (size_t i = 0; i < times; ++i)
#pragma acc loop worker
            for (unsigned j = 0; j < VELOCITIES; ++j) {
                const float t2 = (i * DT) * (i * DT), slow = 1 / (SLOWEST + j * APART);
                float sum = 0, energy = 0;
#pragma acc loop vector reduction(+ : sum, energy)
                for (unsigned k = 0; k < TRACES; ++k) {
                    const float late = (k + 1) * SPACING * slow,
                                value = between(gather[k], sqrtf(t2 + late * late) / DT);
                    sum += value;
                    energy += value * value;
                }
                over[i][j] = sum * sum;
                under[i][j] = energy;
            }
#pragma acc parallel loop gang vector collapse(2)
        for (unsigned j = 0; j < VELOCITIES; ++j)
            for (size_t i = 0; i < times; ++i) {
                float o = 0, u = 1e-6f;
                for (long w = (long)i - HALF; w <= (long)i + HALF; ++w)
                    if (w >= 0 && w < (long)times) {
                        o += over[w][j];
                        u += under[w][j];
                    }
                coherence[i][j] = o / (TRACES * u);
            }
#pragma acc parallel loop
        for (size_t i = 0; i < times; ++i) {
            int place = 0;
            for (int j = 1; j < VELOCITIES; ++j)
                if (coherence[i][j] > coherence[i][place])
                    place = j;
            best[i] = place;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int times = TIMES >> args.shift, all = times * VELOCITIES, *best = NEW(int, times);
    float *gather = NEW(float, TRACES *SAMPLES), *over = NEW(float, all), *under = NEW(float, all),
          *coherence = NEW(float, all);
    double sum = 0;
    // reflections whose velocities grow with time, and noise
    for (int k = 0; k < TRACES * SAMPLES; k++)
        gather[k] = 0.2 * sin(0.21 * k + 3 * number(k / 64)) + 0.2 * sin(0.034 * k);
    for (int r = 0; r < 40; r++)
        for (int k = 0; k < TRACES; k++) {
            double t0 = 0.1 * r, v = 1600 + 55 * r, x = (k + 1) * SPACING, at = sqrt(t0 * t0 + x * x / (v * v)) / DT;
            for (int s = (int)at - 10; s <= (int)at + 10; s++)
                if (s >= 0 && s < SAMPLES)
                    gather[k * SAMPLES + s] += (1 - 0.1 * (s - at) * (s - at)) * exp(-0.05 * (s - at) * (s - at));
        }
#pragma acc enter data copyin(gather[0:TRACES * SAMPLES]) \
    create(over[0:all], under[0:all], coherence[0:all], best[0:times])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        analyse(times, gather, over, under, coherence, best);
#else
        analyse(times, (const trace *)gather, (row *)over, (row *)under, (row *)coherence, best);
#endif
    }
#pragma acc update self(coherence[0:all], best[0:times])
    for (int k = 0; k < all; k++)
        sum += coherence[k] * (1 + k % 3);
    // a velocity beside another that is as good to six digits counts as much
    for (int i = 0; i < times; i++)
        sum += coherence[i * VELOCITIES + best[i]];
    report("semblance", t.best, sum);
    return 0;
}
