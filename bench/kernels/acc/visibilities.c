// Correlation of 128 antennas in 128 channels: for every pair the sum over 256 times of one complex sample times the other's conjugate, with
// signed bytes for the samples and ints for the sums, pairs as a triangle.
#include "../kernels.h"

enum { CHANNELS = 128, TIMES = 256, ANTENNAS = 128, PAIRS = ANTENNAS * (ANTENNAS + 1) / 2 };

#if SPELLING == 1
static void correlate(int channels, const signed char *restrict sample, int *restrict real, int *restrict imag)
{
#pragma acc parallel loop gang collapse(2) vector_length(128) \
    present(sample[0:channels * TIMES * ANTENNAS * 2], real[0:channels * PAIRS], imag[0:channels * PAIRS])
#pragma omp parallel for collapse(2)
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < ANTENNAS; i++) {
#pragma acc loop vector
            for (int j = 0; j <= i; j++) {
                int re = 0, im = 0;
                for (int t = 0; t < TIMES; t++) {
                    int at = (c * TIMES + t) * ANTENNAS;
                    int a = sample[2 * (at + i)], b = sample[2 * (at + i) + 1], p = sample[2 * (at + j)], q = sample[2 * (at + j) + 1];
                    re += a * p + b * q;
                    im += b * p - a * q;
                }
                real[c * PAIRS + i * (i + 1) / 2 + j] = re;
                imag[c * PAIRS + i * (i + 1) / 2 + j] = im;
            }
        }
}
#else
typedef struct { signed char re, im; } sample_t;
typedef struct { int re, im; } sum_t;

static inline sum_t add(sum_t s, sample_t x, sample_t y)
{
    s.re += (short)x.re * y.re + (short)x.im * y.im;
    s.im += (short)x.im * y.re - (short)x.re * y.im;
    return s;
}

// A thread a pair: its row is the largest whose first pair is not behind it.
static void correlate(size_t channels, sample_t (*sample)[TIMES][ANTENNAS], int (*real)[PAIRS], int (*imag)[PAIRS])
{
#pragma acc parallel loop collapse(2) present(sample[0:channels], real[0:channels], imag[0:channels])
#pragma omp parallel for collapse(2)
    for (size_t c = 0; c < channels; ++c)
        for (unsigned pair = 0; pair < PAIRS; ++pair) {
            unsigned i = (unsigned)((sqrtf(8.0f * pair + 1) - 1) / 2);
            if (i * (i + 1) / 2 > pair)
                --i;
            if ((i + 1) * (i + 2) / 2 <= pair)
                ++i;
            unsigned j = pair - i * (i + 1) / 2;
            sum_t sum = {0, 0};
            for (size_t t = 0; t < TIMES; ++t)
                sum = add(sum, sample[c][t][i], sample[c][t][j]);
            real[c][pair] = sum.re;
            imag[c][pair] = sum.im;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int channels = CHANNELS >> args.shift, samples = channels * TIMES * ANTENNAS * 2, pairs = channels * PAIRS;
    signed char *sample = NEW(signed char, samples);
    int *real = NEW(int, pairs), *imag = NEW(int, pairs);
    double sum = 0;
    for (int k = 0; k < samples; k++)
        sample[k] = (signed char)((int)(mix(k) % 255) - 127);
#pragma acc enter data copyin(sample[0:samples]) create(real[0:pairs], imag[0:pairs])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        correlate(channels, sample, real, imag);
#else
        correlate(channels, (sample_t(*)[TIMES][ANTENNAS])sample, (int(*)[PAIRS])real, (int(*)[PAIRS])imag);
#endif
    }
#pragma acc update self(real[0:pairs], imag[0:pairs])
    for (int k = 0; k < pairs; k++)
        sum += fabs((double)real[k]) + imag[k] * 2.0 * (1 + k % 3);
    report("visibilities", t.best, sum);
    return 0;
}
