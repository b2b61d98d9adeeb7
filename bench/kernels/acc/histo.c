// Histogram of 2^24 ints that have the values of bytes: 256 bins by atomic updates.
#include "../kernels.h"

enum { ELEMENTS = 1 << 24, BINS = 256 };

#if SPELLING == 1
static void count(int n, const int *restrict data, int *restrict bins)
{
#pragma acc parallel loop present(bins[0:BINS])
#pragma omp parallel for simd
    for (int k = 0; k < BINS; k++)
        bins[k] = 0;
#pragma acc parallel loop present(data[0:n], bins[0:BINS])
#pragma omp parallel for reduction(+ : bins[:BINS])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        bins[data[i]]++;
    }
}
#elif SPELLING == 3
static void count(int n, const int *data, int *bins)
{
    const int chunks = 256, per = (n + chunks - 1) / chunks;
#pragma acc parallel loop present(bins[0:BINS])
    for (int b = 0; b < BINS; b++)
        bins[b] = 0;
    int local[BINS];
#pragma acc parallel loop gang num_gangs(256) vector_length(256) private(local) present(data[0:n], bins[0:BINS])
    for (int g = 0; g < chunks; g++) {
#pragma acc loop vector
        for (int b = 0; b < BINS; b++)
            local[b] = 0;
        int end = (g + 1) * per < n ? (g + 1) * per : n;
#pragma acc loop vector
        for (int i = g * per; i < end; i++) {
#pragma acc atomic update
            local[data[i]] += 1;
        }
#pragma acc loop vector
        for (int b = 0; b < BINS; b++) {
#pragma acc atomic update
            bins[b] += local[b];
        }
    }
}
#elif SPELLING == 4
static void count(unsigned n, int *data, int *bins)
{
#pragma acc data present(data[0:n], bins[0:BINS])
    {
#pragma acc kernels loop independent
        for (unsigned b = 0; b < BINS; ++b)
            bins[b] = 0;
#pragma acc parallel loop num_gangs(512) vector_length(128)
        for (unsigned i = 0; i < n; ++i) {
            int value = data[i];
#pragma acc atomic
            bins[value]++;
        }
    }
}
#else
static void count(size_t n, int *data, int *bins)
{
    unsigned *b = (unsigned *)bins;
#pragma acc kernels present(data[0:n], b[0:BINS])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (unsigned k = 0; k < BINS; ++k)
            b[k] = 0;
#pragma acc loop independent
#pragma omp parallel for reduction(+ : b[:BINS])
        for (size_t i = 0; i < n; ++i) {
            unsigned bin = (unsigned)data[i] & 0xff;
#pragma acc atomic
            b[bin] += 1;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ELEMENTS >> args.shift, *data = NEW(int, n), *bins = NEW(int, BINS);
    double sum = 0;
    // Brighter values are rarer, as in an image.
    for (int i = 0; i < n; i++)
        data[i] = (int)(BINS * number(2 * i) * sqrt(number(2 * i + 1)));
#pragma acc enter data copyin(data[0:n]) create(bins[0:BINS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        count(n, data, bins);
#pragma acc update self(bins[0:BINS])
    for (int k = 0; k < BINS; k++)
        sum += (double)bins[k] * (1 + k % 7);
    report("histo", t.best, sum);
    return 0;
}
