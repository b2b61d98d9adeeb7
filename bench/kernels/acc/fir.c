// A filter of 64 taps over 64 channels of 32768 samples, float, and the energy of each channel behind it.
#include "../kernels.h"

enum { CHANNELS = 64, SAMPLES = 1 << 15, TAPS = 64 };

#if SPELLING == 1
static void filter(int channels, int n, const float *restrict in, const float *restrict tap, float *restrict out, float *restrict energy)
{
#pragma acc parallel loop collapse(2) present(in[0:channels * (n + TAPS)], tap[0:TAPS], out[0:channels * n])
#pragma omp parallel for
    for (int c = 0; c < channels; c++)
        for (int k = 0; k < n; k++) {
            float sum = 0;
            for (int l = 0; l < TAPS; l++)
                sum += tap[l] * in[c * (n + TAPS) + k + l];
            out[c * n + k] = sum;
        }
#pragma acc parallel loop gang present(out[0:channels * n], energy[0:channels])
#pragma omp parallel for
    for (int c = 0; c < channels; c++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < n; k++)
            sum += out[c * n + k] * out[c * n + k];
        energy[c] = sum;
    }
}
#else
static inline float at(const float *samples, const float *tap, size_t taps)
{
    float sum = 0;
    for (const float *end = tap + taps; tap != end;)
        sum += *tap++ * *samples++;
    return sum;
}

static void filter(size_t channels, size_t n, float *in, float *tap, float *out, float *energy)
{
#pragma acc parallel loop gang present(in[0:channels * (n + TAPS)], tap[0:TAPS], out[0:channels * n], energy[0:channels])
#pragma omp parallel for
    for (size_t c = 0; c < channels; ++c) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (size_t k = 0; k < n; ++k) {
            float y = at(in + c * (n + TAPS) + k, tap, TAPS);
            out[c * n + k] = y;
            sum += y * y;
        }
        energy[c] = sum;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int channels = CHANNELS, n = SAMPLES >> args.shift;
    float *in = NEW(float, channels *(n + TAPS)), *tap = NEW(float, TAPS), *out = NEW(float, channels *n), *energy = NEW(float, channels);
    double sum = 0;
    FILL(in, channels * (n + TAPS), 1);
    FILL(tap, TAPS, 0.1f);
#pragma acc enter data copyin(in[0:channels * (n + TAPS)], tap[0:TAPS]) create(out[0:channels * n], energy[0:channels])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        filter(channels, n, in, tap, out, energy);
#pragma acc update self(out[0:channels * n], energy[0:channels])
    for (int k = 0; k < channels * n; k++)
        sum += out[k] * (1 + k % 3);
    SUM(sum, energy, channels);
    report("fir", t.best, sum);
    return 0;
}
