// Several sections of a pointer are present, each by itself. A region that names none means the one that its loops access.
// launches: 22
#include <stdio.h>
#include <stdlib.h>

#define N 60
#define M 5

static double total;

static void add(const double *p, int n)
{
    for (int i = 0; i < n; i++)
        total = total * 0.75 + p[i] * (i % 7 + 1);
}

static void by_default(double *p, int from, int to)
{
#pragma acc parallel loop default(present)
    for (int i = from; i < to; i++)
        p[i] += i;
}

static void by_clause(double *p, int from, int to)
{
#pragma acc parallel loop present(p)
    for (int i = from; i < to; i++)
        p[i] *= 2;
}

static void by_no_create(double *p, int from, int to)
{
#pragma acc parallel loop no_create(p)
    for (int i = from; i < to; i++)
        p[i] -= 3;
}

// The bounds come from branches, counts down and steps.
static void inner(const double *restrict p, double *restrict q, int from, int to)
{
#pragma acc kernels default(present)
    {
#pragma acc loop independent
        for (int i = from; i < to; i++)
            if (i > from && i < to - 1)
                q[i] = p[i - 1] + p[i + 1];
#pragma acc loop independent
        for (int i = to - 1; i >= from; i -= 3)
            q[i] += 1;
    }
}

// What happens under a condition counts, too.
static void conditional(double *p, const int *ok, int from, int to)
{
#pragma acc parallel loop default(present) copyin(ok[from:to - from])
    for (int i = from + 1; i < to; i++)
        if (ok[i])
            p[i] += p[i - 1] > 0;
}

static void rows(double (*g)[M], int from, int to)
{
#pragma acc parallel loop collapse(2) present(g)
    for (int i = from; i < to; i++)
        for (int j = 0; j < M; j++)
            g[i][j] += i * j;
}

int main(void)
{
    double *p = malloc(N * sizeof *p), *q = malloc(N * sizeof *q);
    double(*g)[M] = malloc(N * sizeof *g);
    int ok[N], third = N / 3;
    for (int i = 0; i < N; i++) {
        p[i] = i * 1.5;
        q[i] = -i;
        ok[i] = i % 3 != 0;
        for (int j = 0; j < M; j++)
            g[i][j] = i - j;
    }
#pragma acc enter data copyin(p[0:third], q[0:third], g[0:third])
#pragma acc enter data copyin(p[third:third], q[third:third], g[third:third])
#pragma acc enter data copyin(p[2 * third:third], q[2 * third:third], g[2 * third:third])
    for (int part = 0; part < 3; part++) {
        int from = part * third, to = from + third;
        by_default(p, from + part, to);
        by_clause(p, from, to - part);
        by_no_create(p, from + 1, to);
        inner(p, q, from, to);
        conditional(p, ok, from, to);
        rows(g, from, to);
    }
    // Nothing is accessed.
    by_default(p, third, third);
    // All sections of the pointer.
#pragma acc update self(p)
    add(p, N);
    for (int i = 0; i < N; i++)
        p[i] += i;
#pragma acc update device(p)
    by_default(p, third, 2 * third);
#pragma acc exit data copyout(p[0:third], q[0:third], g[0:third])
#pragma acc exit data copyout(p[third:third], q[third:third], g[third:third])
#pragma acc exit data copyout(p[2 * third:third], q[2 * third:third], g[2 * third:third])
    add(p, N);
    add(q, N);
    add(g[0], N * M);
    // Data constructs around.
#pragma acc data copy(p[0:third])
#pragma acc data copy(p[third:2 * third]) copyin(q[third:third])
    {
#pragma acc parallel loop
        for (int i = third; i < 2 * third; i++)
            p[i] += q[i];
    }
    add(p, N);
#pragma acc enter data copyin(q[0:third])
#pragma acc enter data copyin(q[third:2 * third])
#pragma acc parallel loop present(q)
    for (int i = third; i < N; i++)
        q[i] = i;
#pragma acc exit data copyout(q)
    add(q, N);
    printf("%.12g\n", total);
    return 0;
}
