// Memory and checksums of the OpenMP benchmarks: the OpenACC ones of ../acc in OpenMP, with the same rows. Each is built twice: without
// lanes said, and with -DWITH_SIMD, where the inner loops are `simd`.
#ifndef COMMON_H
#define COMMON_H

#include "../bench.h"

// What is behind `parallel for` where a loop has nothing inside it.
#ifdef WITH_SIMD
#define SIMD simd
#else
#define SIMD
#endif

static void *get(size_t bytes)
{
    void *p = malloc(bytes);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static inline long long checksum(int n, const double *v, double scale)
{
    long long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += ADDEND(v[i], scale, i);
    return sum;
}

static void row(const char *name, long size, struct watch w, double work, char unit, long long checksum)
{
    print_row(name, size, w.best, w.best, work, unit, checksum);
}

#endif
