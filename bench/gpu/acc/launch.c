// What a launch costs: an empty region, one array, eight present arrays, and 10000 launches on a queue with one wait.
#include "common.h"

#define BATCH 200
#define ASYNC 10000

static void empty(void)
{
#pragma acc parallel
    {
    }
}

static void one(double *a)
{
#pragma acc serial present(a[0:1])
    a[0] += 1;
}

static void eight(int n, double *a, double *b, double *c, double *d, double *e, double *f, double *g, double *h)
{
#pragma acc serial present(a[0:n], b[0:n], c[0:n], d[0:n], e[0:n], f[0:n], g[0:n], h[0:n])
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
#pragma acc serial async(1) present(a[0:1])
        a[0] += 1;
    }
#pragma acc wait(1)
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 64, laps = args.repeats * BATCH;
    double *p[8];
    struct watch w;
    for (int k = 0; k < 8; k++) {
        double *q = p[k] = get(n * sizeof(double));
        for (int i = 0; i < n; i++)
            q[i] = 0;
#pragma acc enter data copyin(q[0:n])
    }
    double *a = p[0], *h = p[7];

    w = watch(laps);
    while (lap(&w))
        empty();
    row("launch_empty", 1, w, 1, 'L', 0);

    w = watch(laps);
    while (lap(&w))
        one(a);
#pragma acc update self(a[0:1])
    row("launch_one", 1, w, 1, 'L', (long long)a[0]);

    w = watch(laps);
    while (lap(&w))
        eight(n, p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]);
#pragma acc update self(a[0:1], h[0:1])
    row("launch_eight", 8, w, 1, 'L', (long long)(a[0] + h[0]));

    w = watch(args.repeats);
    while (lap(&w))
        many(a);
    w.best /= ASYNC;
#pragma acc update self(a[0:1])
    row("launch_async", ASYNC, w, 1, 'L', (long long)a[0]);
    return 0;
}
