// Histogram, 256 bins, 2^26 keys of 4 bytes.
#include "common.h"

#define BINS 256

#if SPELLING == 1
static void histogram(int n, const int *restrict key, int *restrict bin)
{
#pragma acc parallel loop present(key[0:n], bin[0:BINS])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        bin[key[i]]++;
    }
}
#else
static void histogram(size_t n, int *key, int *bin)
{
#pragma acc parallel loop gang vector present(key[0:n], bin[0:BINS])
    for (size_t i = 0; i < n; i++) {
        unsigned k = key[i];
#pragma acc atomic
        bin[k] = bin[k] + 1;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (26 - args.shift);
    int *key = get((size_t)n * sizeof(int)), bin[BINS] = {0};
    long long sum = 0;
#pragma acc enter data create(key[0:n]) copyin(bin)
#pragma acc parallel loop present(key[0:n])
    for (int i = 0; i < n; i++)
        key[i] = mix(i) % BINS;
    struct watch w = watch(args.repeats);
    while (lap(&w))
        histogram(n, key, bin);
#pragma acc exit data copyout(bin) delete(key[0:n])
    for (int b = 0; b < BINS; b++)
        sum += ADDEND(bin[b], 1, b);
    row("histogram", n, w, 4.0 * n, 'B', sum);
    return 0;
}
