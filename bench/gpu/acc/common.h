// Memory and checksums of the OpenACC benchmarks. Those with a SPELLING are built twice: 2 is the same loop with other types of
// indices, without `restrict`, with macros, functions or arrays of arrays.
#ifndef COMMON_H
#define COMMON_H

#include "../bench.h"

#ifndef SPELLING
#define SPELLING 1
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

static long long checksum(int n, const double *v, double scale)
{
    long long sum = 0;
#pragma acc parallel loop reduction(+:sum) present(v[0:n])
    for (int i = 0; i < n; i++)
        sum += ADDEND(v[i], scale, i);
    return sum;
}

static void row(const char *name, long size, struct watch w, double work, char unit, long long checksum)
{
    print_row(name, size, w.best, w.best, work, unit, checksum);
}

#endif
