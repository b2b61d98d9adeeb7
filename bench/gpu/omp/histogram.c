// Histogram, 256 bins, 2^26 keys of 4 bytes.
#include "common.h"

#define BINS 256

static void histogram(int n, const int *restrict key, int *restrict bin)
{
#pragma omp target teams distribute parallel for SIMD
    for (int i = 0; i < n; i++) {
#pragma omp atomic update
        bin[key[i]]++;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (26 - args.shift);
    int *key = get((size_t)n * sizeof(int)), bin[BINS] = {0};
    long long sum = 0;
#pragma omp target enter data map(alloc : key[0 : n]) map(to : bin)
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
        key[i] = mix(i) % BINS;
    struct watch w = watch(args.repeats);
    while (lap(&w))
        histogram(n, key, bin);
#pragma omp target exit data map(from : bin) map(release : key[0 : n])
    for (int b = 0; b < BINS; b++)
        sum += ADDEND(bin[b], 1, b);
    row("histogram", n, w, 4.0 * n, 'B', sum);
    return 0;
}
