// A search for planets in the light of a star (box least squares): 8192 samples are folded at each of 2048 periods into
// 256 bins, a gang a period, by atomic additions; then the best box of 4 to 16 bins from any bin on.
#include "../kernels.h"

enum { PERIODS = 2048, SAMPLES = 8192, BINS = 256, SHORTEST = 4, LONGEST = 16 };

#if SPELLING == 1
static void search(int n, int samples, const double *restrict frequency, const double *restrict time,
                   const float *restrict weight, const float *restrict light, float *restrict power)
{
#pragma acc parallel loop gang vector_length(256) present(frequency[0:n], time[0:samples], weight[0:samples]) \
    present(light[0:samples], power[0:n])
#pragma omp parallel for
    for (int p = 0; p < n; p++) {
        float weights[BINS], lights[BINS], best = 0;
#pragma acc loop vector
        for (int b = 0; b < BINS; b++)
            weights[b] = lights[b] = 0;
#pragma acc loop vector
        for (int i = 0; i < samples; i++) {
            double phase = time[i] * frequency[p];
            int b = (int)((phase - floor(phase)) * BINS);
#pragma acc atomic update
            weights[b] += weight[i];
#pragma acc atomic update
            lights[b] += weight[i] * light[i];
        }
#pragma acc loop vector reduction(max : best)
        for (int b = 0; b < BINS; b++) {
            float r = 0, s = 0;
            for (int k = 0; k < LONGEST; k++) {
                r += weights[(b + k) % BINS];
                s += lights[(b + k) % BINS];
                if (k + 1 >= SHORTEST && r > 0)
                    best = fmaxf(best, s * s / (r * (1 - r)));
            }
        }
        power[p] = best;
    }
}
#else
typedef struct { float weight, light; } bin_t;

static inline unsigned fold(double phase)
{
    phase -= (long)phase;
    return (unsigned)(phase * BINS);
}

static void search(size_t n, size_t samples, double *frequency, double *time, float *weight, float *light, float *power)
{
    bin_t bins[BINS];
#pragma acc parallel num_gangs(n) vector_length(128) private(bins) present(frequency[0:n], time[0:samples]) \
    present(weight[0:samples], light[0:samples], power[0:n])
    {
#pragma acc loop gang
#pragma omp parallel for private(bins)
        for (size_t p = 0; p < n; ++p) {
            const double per = frequency[p];
            float best = 0;
#pragma acc loop vector
            for (unsigned b = 0; b < BINS; ++b) {
                bins[b].weight = 0;
                bins[b].light = 0;
            }
#pragma acc loop vector
            for (size_t i = 0; i < samples; ++i) {
                bin_t *bin = bins + fold(time[i] * per);
                float w = weight[i], l = w * light[i];
#pragma acc atomic
                bin->weight += w;
#pragma acc atomic
                bin->light += l;
            }
#pragma acc loop vector reduction(max : best)
            for (unsigned b = 0; b < BINS; ++b) {
                bin_t box = {0, 0};
                unsigned length = 0, at = b;
                while (length < LONGEST) {
                    box.weight += bins[at].weight;
                    box.light += bins[at].light;
                    at = at + 1 < BINS ? at + 1 : 0;
                    if (++length >= SHORTEST && box.weight > 0) {
                        float gain = box.light * box.light / (box.weight * (1 - box.weight));
                        best = gain > best ? gain : best;
                    }
                }
            }
            power[p] = best;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PERIODS >> args.shift, samples = SAMPLES;
    double *frequency = NEW(double, n), *time = NEW(double, samples), sum = 0, total = 0, mean = 0;
    float *weight = NEW(float, samples), *light = NEW(float, samples), *power = NEW(float, n);
    for (int p = 0; p < n; p++)
        frequency[p] = 0.05 + 0.4 * p / n;
    for (int i = 0; i < samples; i++) {
        double phase, on = 0.02 * i + 0.004 * number(i);
        time[i] = on;
        weight[i] = 0.5 + number(3 * i);
        phase = on * 0.2273 - floor(on * 0.2273);
        light[i] = 0.2 * (number(3 * i + 1) + number(3 * i + 2) - 1) - (phase > 0.4 && phase < 0.43 ? 0.3 : 0);
        total += weight[i];
        mean += weight[i] * light[i];
    }
    for (int i = 0; i < samples; i++) {
        weight[i] /= total;
        light[i] -= mean / total;
    }
#pragma acc enter data copyin(frequency[0:n], time[0:samples], weight[0:samples], light[0:samples]) create(power[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        search(n, samples, frequency, time, weight, light, power);
#pragma acc update self(power[0:n])
    SUM(sum, power, n);
    report("bls", t.best, 1000 * sum);
    return 0;
}
