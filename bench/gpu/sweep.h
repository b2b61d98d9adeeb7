// The points of the sweeps (programs/sweep.c, cuda/sweep.cu), their input, and the line for each.
#ifndef SWEEP_H
#define SWEEP_H

#include "bench.h"

// Elements are squares, for the matrix: 2^10 to 2^24.
#define LARGEST (1 << 24)
#define STEPS 64
#define SIZES 8
#define TEAMS 7
#define THREADS 6
#define POINTS (SIZES + TEAMS + THREADS)

#define INPUT_A(i) ((i) % 5)
#define INPUT_B(i) ((i) % 7 - 2)

struct point {
    int teams, threads, side;
};

// By size with 1024 teams of 128; of the largest size by teams of 128, and by threads of 1024 teams.
static inline struct point point(int k)
{
    struct point p = {1024, 128, 4096};
    if (k < SIZES)
        p.side = 32 << k;
    else if (k < SIZES + TEAMS)
        p.teams = 4 << 2 * (k - SIZES);
    else
        p.threads = 32 << (k - SIZES - TEAMS);
    return p;
}

static inline void print_point(const char *program, struct point p, double seconds, long long checksum)
{
    printf("point program=%s teams=%d threads=%d size=%d seconds=%.9f checksum=%lld\n", program, p.teams, p.threads,
           p.side * p.side, seconds, checksum);
    fflush(stdout);
}

#endif
