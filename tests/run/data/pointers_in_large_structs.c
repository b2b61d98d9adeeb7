// A clause names a member, another one what a pointer in the same struct leads to: the region gets the pointer's device address, also in
// its copy of a struct that is too large to be passed as its members, and in the copy that a function gets.
// launches: 7
#include <stdio.h>
#include <stdlib.h>

struct inner {
    int k;
    double *w;
};

struct large {
    double table[40];
    int n;
    double sum[2];
    double *v;
    struct inner in;
    int tail;
};

struct small {
    int n;
    double s;
    double *v;
};

static double of_large(const struct large *g, int i)
{
    return g->v[i] + g->in.w[i] + g->table[i];
}

static double of_small(const struct small *s, int i)
{
    return s->v[i] + s->n;
}

int main(void)
{
    struct large g = {.n = 10, .tail = 3};
    g.v = malloc(10 * sizeof(double));
    g.in.w = malloc(10 * sizeof(double));
    for (int i = 0; i < 40; i++)
        g.table[i] = i;
    for (int i = 0; i < 10; i++) {
        g.v[i] = i;
        g.in.w[i] = 100 * i;
    }
    double *host = g.v;
#pragma acc parallel loop copy(g.sum) copyin(g.v[0:10])
    for (int i = 0; i < 2; i++)
        g.sum[i] += g.v[i + g.n - 3];
#pragma acc parallel loop copy(g.sum) copy(g.v[0:g.n])
    for (int i = 0; i < 2; i++) {
        g.sum[i] += g.v[i + g.n - 3] + g.table[5];
        g.v[i] += g.tail;
    }
#pragma acc data copy(g.sum)
    {
#pragma acc parallel loop copy(g.v[0:g.n])
        for (int i = 0; i < 2; i++) {
            g.sum[i] += g.v[i + g.n - 3] + g.table[5];
            g.v[i] += g.tail;
        }
    }
#pragma acc data copy(g.v[0:g.n])
    {
#pragma acc parallel loop copy(g.sum)
        for (int i = 0; i < 2; i++) {
            g.sum[i] += g.v[i + g.n - 3] + g.table[5];
            g.v[i] += g.tail;
        }
    }
#pragma acc data copy(g.v[0:g.n], g.sum)
    {
#pragma acc parallel loop
        for (int i = 0; i < 2; i++) {
            g.sum[i] += g.v[i + g.n - 3] + g.table[5];
            g.v[i] += g.tail;
        }
    }
    printf("%g %g %d %g\n", g.sum[0], g.sum[1], g.v == host, g.v[0]);
#pragma acc parallel loop copy(g.sum) copyin(g.v[0:10], g.in.w[0:10])
    for (int i = 0; i < 2; i++)
        g.sum[i] += of_large(&g, i + g.n - 3) + g.v[i];
    struct small s = {4, 0, malloc(4 * sizeof(double))};
    for (int i = 0; i < 4; i++)
        s.v[i] = i;
#pragma acc serial copy(s.s) copyin(s.v[0:4])
    for (int i = 0; i < 4; i++)
        s.s += of_small(&s, i);
    printf("%g %g %g\n", g.sum[0], g.sum[1], s.s);
    return 0;
}
