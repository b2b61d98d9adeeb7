// What the CPU benchmarks share. Each program holds one loop nest with an OpenACC and an OpenMP directive, is built
// once by `accrue cc -fopenacc` and twice by `gcc -fopenmp` (with -DSIMD=simd for `parallel for simd`, with -DSIMD=
// for plain `parallel for`), and prints one line: name, seconds of the fastest run, bytes moved, right or wrong.
#ifndef BENCH_H
#define BENCH_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Timed runs in one process; the script starts each program several times.
#define REPEATS 20

// OMP_SIMD(clauses) is `#pragma omp simd clauses` with -DSIMD=simd and nothing with -DSIMD=.
#define OMP_SIMD(clauses) BENCH_CHOOSE(SIMD)(clauses)
#define BENCH_CHOOSE(word) BENCH_JOIN(word)
#define BENCH_JOIN(word) BENCH_##word
#define BENCH_simd(clauses) BENCH_PRAGMA(omp simd clauses)
#define BENCH_(clauses)
#define BENCH_PRAGMA(words) _Pragma(#words)

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double smaller(double a, double b) { return a < b ? a : b; }

static inline void *get(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

static inline int close_to(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * (fabs(a) + fabs(b) + 1e-300);
}

static inline int report(const char *name, double best, double bytes, int right)
{
    printf("%s %.9f %.0f %s\n", name, best, bytes, right ? "right" : "wrong");
    return !right;
}

#endif
