// GCC's __builtin_goacc_parlevel_id and _size: who shares out what agrees with what they say.
#include <stdio.h>

#ifndef _OPENACC
#define __builtin_goacc_parlevel_id(level) ((void)(level), 0)
#define __builtin_goacc_parlevel_size(level) ((void)(level), 1)
#endif

#define N 3000

/* The gang, asked by a function. */
#pragma acc routine seq
static int gang_of(void)
{
    return __builtin_goacc_parlevel_id(0);
}

int main(void)
{
    int g[N], w[N], v[N], sizes[3], bad = 0, single = 0, gangs = 0;
    int seen[64][8][128] = {0};
#pragma acc parallel num_gangs(32) num_workers(4) vector_length(32) copyout(g, w, v, sizes) reduction(+ : gangs)
    {
        gangs += __builtin_goacc_parlevel_id(0) < __builtin_goacc_parlevel_size(0);
#pragma acc loop gang worker vector
        for (int i = 0; i < N; i++) {
            g[i] = __builtin_goacc_parlevel_id(0);
            w[i] = __builtin_goacc_parlevel_id(1);
            v[i] = __builtin_goacc_parlevel_id(2);
            if (i == 0) {
                sizes[0] = __builtin_goacc_parlevel_size(0);
                sizes[1] = __builtin_goacc_parlevel_size(1);
                sizes[2] = __builtin_goacc_parlevel_size(2);
            }
        }
    }
    int most = 0;
    for (int i = 0; i < N; i++) {
        bad += g[i] < 0 || g[i] >= sizes[0] || w[i] < 0 || w[i] >= sizes[1] || v[i] < 0 || v[i] >= sizes[2];
        if (!bad && ++seen[g[i]][w[i]][v[i]] > most)
            most = seen[g[i]][w[i]][v[i]];
    }
    /* Nobody has much more than his share. */
    bad += most > 2 * (N / (sizes[0] * sizes[1] * sizes[2]) + 1);
    bad += gangs < sizes[0];
    /* In single modes there is worker 0 and lane 0. */
#pragma acc parallel loop gang num_gangs(4) vector_length(32) copyout(g, v) reduction(+ : single)
    for (int i = 0; i < 30; i++) {
        int lane = __builtin_goacc_parlevel_id(2), same = gang_of() == __builtin_goacc_parlevel_id(0);
        single += lane + __builtin_goacc_parlevel_id(1) + !same;
        g[i] = gang_of();
#pragma acc loop vector
        for (int j = 0; j < 100; j++)
            v[100 * i + j] = __builtin_goacc_parlevel_id(2) + 1000 * (g[i] != gang_of());
    }
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 100; j++)
            bad += v[100 * i + j] != v[100 * i + j % 32] || v[100 * i + j] < 0 || v[100 * i + j] > 31;
    printf("%d %d\n", bad, single);
    /* On the host. */
    printf("%d %d\n", __builtin_goacc_parlevel_id(0), __builtin_goacc_parlevel_size(1));
    return 0;
}
