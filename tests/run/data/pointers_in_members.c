// A data construct names what pointers in structs lead to; regions in it use the structs, which come to the device with each region.
// launches: 7
#include <stdio.h>
#include <stdlib.h>

struct field {
    int n;
    double *v;
};

struct grid {
    double sum[2];
    struct field u;
    struct {
        int *rows;
    } index;
};

static struct grid global;

static void fill(struct grid *g, int n)
{
    g->sum[0] = g->sum[1] = 0;
    g->u.n = n;
    g->u.v = malloc(n * sizeof(double));
    g->index.rows = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        g->u.v[i] = i;
        g->index.rows[i] = n - 1 - i;
    }
}

int main(void)
{
    struct grid g;
    struct field f = {5, malloc(5 * sizeof(double))};
    fill(&g, 10);
    fill(&global, 8);
    double *host = g.u.v;
#pragma acc data copy(g.u.v[0:g.u.n]) copyin(g.index.rows[0:10]) copyout(f.v[0:f.n])
    {
#pragma acc parallel loop
        for (int i = 0; i < g.u.n; i++)
            g.u.v[i] += 2 * g.index.rows[i];
#pragma acc parallel loop copy(g.sum)
        for (int i = 0; i < 2; i++)
            g.sum[i] = g.u.v[i] + g.u.v[9];
#pragma acc parallel loop
        for (int i = 0; i < f.n; i++)
            f.v[i] = i * i;
#pragma acc data copy(global.u.v[0:8])
        {
#pragma acc parallel loop
            for (int i = 0; i < 8; i++)
                global.u.v[i] *= g.u.v[i];
#pragma acc parallel loop present(global.u.v[0:8])
            for (int i = 0; i < 8; i++)
                global.u.v[i] += 1;
        }
#pragma acc serial
        g.u.v[0] = g.u.n;
    }
#pragma acc parallel loop copy(g.sum) copyin(g.u.v[0:10])
    for (int i = 0; i < 2; i++)
        g.sum[i] += g.u.v[i + g.u.n - 3];
    for (int i = 0; i < 5; i++)
        printf("%g %g %g\n", g.u.v[i], global.u.v[i], f.v[i]);
    printf("%g %g %d\n", g.sum[0], g.sum[1], g.u.v == host && g.u.n == 10);
    return 0;
}
