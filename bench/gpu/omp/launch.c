// What a launch costs: an empty region, one array, eight of them, 10000 deferred launches with one wait; and a region whose team does
// something alone before each of two loops, beside the two loops as combined constructs.
#include "common.h"

#include <omp.h>

#define BATCH 200
#define ASYNC 10000
#define LOOP (1 << 16)
#define TEAMS 64

static void empty(void)
{
#pragma omp target
    {
    }
}

static void one(double *a)
{
#pragma omp target
    a[0] += 1;
}

static void eight(double *a, double *b, double *c, double *d, double *e, double *f, double *g, double *h)
{
#pragma omp target
    {
        a[0] += 1;
        b[0] += a[0];
        c[0] += 1;
        d[0] += 1;
        e[0] += 1;
        f[0] += 1;
        g[0] += 1;
        h[0] += b[0];
    }
}

static void many(double *a)
{
    for (int k = 0; k < ASYNC; k++) {
#pragma omp target nowait depend(inout : a[0])
        a[0] += 1;
    }
#pragma omp taskwait
}

// Teams of which one thread is alone before each loop.
static void generic(int n, double *v)
{
#pragma omp target teams num_teams(TEAMS) thread_limit(256)
    {
        int share = n / TEAMS, first = share * omp_get_team_num();
        double factor = 2;
#pragma omp parallel for
        for (int i = first; i < first + share; i++)
            v[i] = factor * i;
        factor += 1;
#pragma omp parallel for
        for (int i = first; i < first + share; i++)
            v[i] += factor;
    }
}

static void combined(int n, double *v)
{
#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(256)
    for (int i = 0; i < n; i++)
        v[i] = 2.0 * i;
#pragma omp target teams distribute parallel for num_teams(TEAMS) thread_limit(256)
    for (int i = 0; i < n; i++)
        v[i] += 3;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 64, laps = args.repeats * BATCH;
    double *p[8], *v = get(LOOP * sizeof(double));
    struct watch w;
    for (int k = 0; k < 8; k++) {
        double *q = p[k] = get(n * sizeof(double));
        for (int i = 0; i < n; i++)
            q[i] = 0;
#pragma omp target enter data map(to : q[0 : n])
    }
    double *a = p[0], *h = p[7];

    w = watch(laps);
    while (lap(&w))
        empty();
    row("launch_empty", 1, w, 1, 'L', 0);

    w = watch(laps);
    while (lap(&w))
        one(a);
#pragma omp target update from(a[0 : 1])
    row("launch_one", 1, w, 1, 'L', (long long)a[0]);

    w = watch(laps);
    while (lap(&w))
        eight(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]);
#pragma omp target update from(a[0 : 1], h[0 : 1])
    row("launch_eight", 8, w, 1, 'L', (long long)(a[0] + h[0]));

    w = watch(args.repeats);
    while (lap(&w))
        many(a);
    w.best /= ASYNC;
#pragma omp target update from(a[0 : 1])
    row("launch_async", ASYNC, w, 1, 'L', (long long)a[0]);

#pragma omp target enter data map(alloc : v[0 : LOOP])
    w = watch(laps);
    while (lap(&w))
        combined(LOOP, v);
    row("two_loops", LOOP, w, 1, 'L', checksum(LOOP, v, 1));

    w = watch(laps);
    while (lap(&w))
        generic(LOOP, v);
    row("two_loops_generic", LOOP, w, 1, 'L', checksum(LOOP, v, 1));
    return 0;
}
