// A radio telescope's search for pulses: 256 channels of 16384 + 4096 samples (bytes) summed along the delays of 256 dispersions, and for each dispersion
// the mean, the deviation and the largest sum.
#include "../kernels.h"

enum { CHANNELS = 256, TIMES = 16384, MOST = 4096, TRIALS = 256, SAMPLES = TIMES + MOST };

#if SPELLING == 1
static void search(int times, const unsigned char *restrict sample, const int *restrict delay, int *restrict power, double *restrict peak)
{
    int samples = times + MOST;
#pragma acc data present(sample[0:CHANNELS * samples], delay[0:TRIALS * CHANNELS], power[0:TRIALS * times], peak[0:TRIALS])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int d = 0; d < TRIALS; d++)
            for (int t = 0; t < times; t++) {
                int sum = 0;
                for (int c = 0; c < CHANNELS; c++)
                    sum += sample[c * samples + t + delay[d * CHANNELS + c]];
                power[d * times + t] = sum;
            }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int d = 0; d < TRIALS; d++) {
            double sum = 0, square = 0;
            int most = 0;
#pragma acc loop vector reduction(+ : sum, square) reduction(max : most)
            for (int t = 0; t < times; t++) {
                int v = power[d * times + t];
                sum += v;
                square += (double)v * v;
                most = v > most ? v : most;
            }
            double mean = sum / times;
            peak[d] = (most - mean) / sqrt(square / times - mean * mean);
        }
    }
}
#else
static void search(size_t times, unsigned char *in, int (*delay)[CHANNELS], int *out, double *peak)
{
    unsigned char(*sample)[times + MOST] = (void *)in;
    int(*power)[times] = (void *)out;
#pragma acc kernels present(sample[0:CHANNELS], delay[0:TRIALS], power[0:TRIALS], peak[0:TRIALS])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t d = 0; d < TRIALS; ++d) {
#pragma acc loop independent
            for (size_t t = 0; t < times; ++t) {
                unsigned sum = 0;
#pragma acc loop reduction(+ : sum)
                for (size_t c = 0; c < CHANNELS; ++c)
                    sum += sample[c][t + delay[d][c]];
                power[d][t] = sum;
            }
        }
#pragma acc loop independent
#pragma omp parallel for
        for (size_t d = 0; d < TRIALS; ++d) {
            double mean = 0, variance = 0, most = 0;
#pragma acc loop reduction(+ : mean)
            for (size_t t = 0; t < times; ++t)
                mean += power[d][t];
            mean /= times;
#pragma acc loop reduction(+ : variance) reduction(max : most)
            for (size_t t = 0; t < times; ++t) {
                variance += (power[d][t] - mean) * (power[d][t] - mean);
                most = fmax(most, power[d][t]);
            }
            peak[d] = (most - mean) / sqrt(variance / times);
        }
    }
}
#endif

static void listen(int times, unsigned char *sample, int *delay)
{
    int samples = times + MOST;
    for (int d = 0; d < TRIALS; d++)
        for (int c = 0; c < CHANNELS; c++) {
            double f = 1.5 - 0.4 * c / CHANNELS;
            delay[d * CHANNELS + c] = (int)(d * 40.0 * (1 / (f * f) - 1 / 2.25) + 0.5) % MOST;
        }
    for (int c = 0; c < CHANNELS; c++)
        for (int t = 0; t < samples; t++)
            sample[c * samples + t] = mix(c * samples + t) % 64 + (t == times / 3 + delay[100 * CHANNELS + c] ? 40 : 0);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int times = TIMES >> args.shift, samples = times + MOST, *delay = NEW(int, TRIALS *CHANNELS), *power = NEW(int, TRIALS *times);
    unsigned char *sample = NEW(unsigned char, CHANNELS *samples);
    double *peak = NEW(double, TRIALS), sum = 0;
    listen(times, sample, delay);
#pragma acc enter data copyin(sample[0:CHANNELS * samples], delay[0:TRIALS * CHANNELS]) create(power[0:TRIALS * times], peak[0:TRIALS])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        search(times, sample, delay, power, peak);
#else
        search(times, sample, (int(*)[CHANNELS])delay, power, peak);
#endif
    }
#pragma acc update self(power[0:TRIALS * times], peak[0:TRIALS])
    SUM(sum, peak, TRIALS);
    for (int k = 0; k < TRIALS * times; k++)
        sum += power[k] * 1e-6;
    report("dedisperse", t.best, sum);
    return 0;
}
