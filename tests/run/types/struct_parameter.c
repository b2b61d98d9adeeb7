// Structs and unions that are parameters by value of the function around a region: read, written, private, as bounds.
// launches: 5
#include <stdio.h>

struct grid {
    int n, m;
    double step, *x;
    float weight[3];
};
union number {
    int whole;
    float real;
};

static void fill(struct grid g, union number first, int k)
{
    double *x = g.x;
#pragma acc parallel loop copyout(x[0:g.n])
    for (int i = 0; i < g.n; i++)
        x[i] = g.step * i + g.weight[k] + first.whole;
#pragma acc parallel loop collapse(2) copy(x[0:g.n])
    for (int i = 0; i < g.n / g.m; i++)
        for (int j = 0; j < g.m; j++)
            x[i * g.m + j] += j;
}

static struct grid change(struct grid g, int more)
{
#pragma acc parallel copy(g)
    {
        g.n += more;
        g.weight[1] = g.n;
    }
    int sum = 0;
#pragma acc parallel firstprivate(g) reduction(+:sum) num_gangs(1)
    {
        g.m += 3;
#pragma acc loop reduction(+:sum)
        for (int i = 0; i < 10; i++)
            sum += g.n + g.m;
    }
    g.m = sum;
    return g;
}

static double total(const struct grid g)
{
    double s = 0;
    double *x = g.x;
#pragma acc parallel loop reduction(+:s) copyin(x[0:g.n])
    for (int i = 0; i < g.n; i++)
        s += x[i];
    return s;
}

int main(void)
{
    static double x[120];
    struct grid g = {60, 4, 0.25, x, {1, 2, 3}};
    fill(g, (union number){.whole = 5}, 2);
    printf("%g\n", total(g));
    g = change(g, 7);
    printf("%d %d %g %g\n", g.n, g.m, g.weight[1], g.step);
    return 0;
}
