// What the GPU benchmarks share, in OpenACC (acc/*.c) and CUDA (cuda/*.cu): arguments, the clock, input data, and the
// line that a program prints for each row of the result table:
//
//     row name=triad size=134217728 seconds=0.000779 best=0.000771 work=3221225472 unit=B checksum=137438953472
//
// `seconds` is the shortest lap of a synchronous region by the host's clock. `best` is there when a CUDA program has
// tried several launch shapes: the shortest of them all. Both languages must print the same checksums; therefore the
// inputs are small whole numbers, whose sums are exact in any order.
//
//     PROGRAM [SHIFT [REPEATS]]     sizes are divided by 2^SHIFT; REPEATS laps are timed (default 50)
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __CUDACC__
#define ON_BOTH __host__ __device__ static inline
#else
#define ON_BOTH static inline
#endif

struct arguments {
    int shift, repeats;
};

static inline struct arguments arguments(int argc, char **argv)
{
    struct arguments a = {0, 50};
    if (argc > 1)
        a.shift = atoi(argv[1]);
    if (argc > 2)
        a.repeats = atoi(argv[2]);
    return a;
}

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Times laps: `struct watch w = watch(50); while (lap(&w)) work();` leaves the shortest of 50 in w.best. Half as many
// run before without being timed, because the device's clocks need some time to rise.
struct watch {
    int laps, warm_up, repeats;
    double begin, best;
};

static inline struct watch watch(int repeats)
{
    struct watch w = {0, repeats / 2 + 1, repeats, 0, 1e30};
    return w;
}

static inline int lap(struct watch *w)
{
    double time = now() - w->begin;
    if (w->laps > w->warm_up && time < w->best)
        w->best = time;
    if (w->laps == w->warm_up + w->repeats)
        return 0;
    w->laps++;
    w->begin = now();
    return 1;
}

static inline void print_row(const char *name, long size, double seconds, double best, double work, char unit,
                             long long checksum)
{
    printf("row name=%s size=%ld seconds=%.9f best=%.9f work=%.0f unit=%c checksum=%lld\n", name, size, seconds, best,
           work, unit, checksum);
    fflush(stdout);
}

// A number that looks random: the columns of the sparse matrix, the keys of the histogram.
#ifdef _OPENACC
#pragma acc routine seq
#endif
ON_BOTH unsigned mix(unsigned h)
{
    h *= 2654435761u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    return h;
}

// First entry of a row of the sparse matrix: row i has 16 + i % 33 entries, 32 in the mean.
#ifdef _OPENACC
#pragma acc routine seq
#endif
ON_BOTH int row_start(int i)
{
    int r = i % 33;
    return 16 * i + i / 33 * 528 + r * (r - 1) / 2;
}

// Input of the reductions: small sums in any order, one largest and one smallest element.
#define REDUCED(i, n) ((i) == (n) / 3 ? 1000 : (i) == (n) / 3 * 2 ? -1000 : (i) % 3 - 1)

// One addend of a checksum; `scale` makes whole numbers of the values.
#define ADDEND(value, scale, i) ((long long)((value) * (scale)) * ((i) % 1021 + 1))

#endif
