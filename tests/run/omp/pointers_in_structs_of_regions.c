// What pointers in structs lead to is mapped by directives elsewhere; regions use the structs without a clause.
// cflags: -fopenmp
// launches: 4
#include <stdio.h>
#include <stdlib.h>

struct field {
    int n;
    double *v;
};

struct grid {
    double sum[2];
    struct field u;
};

static struct grid global;

static void by_value(struct field f)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < f.n; i++)
        f.v[i] += f.n;
}

int main(void)
{
    struct grid g = {{0, 0}, {10, malloc(10 * sizeof(double))}};
    global.u.n = 8;
    global.u.v = malloc(8 * sizeof(double));
    for (int i = 0; i < 10; i++)
        g.u.v[i] = i;
    for (int i = 0; i < 8; i++)
        global.u.v[i] = i * i;
    double *host = g.u.v;
#pragma omp target enter data map(to : g.u.v[0 : 10], global.u.v[0 : 8])
    by_value(g.u);
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 8; i++)
        global.u.v[i] *= 2;
#pragma omp target
    {
        g.sum[0] = g.u.v[0];
        g.sum[1] = global.u.v[7];
    }
#pragma omp target firstprivate(g)
    g.u.v[1] = -1;
#pragma omp target exit data map(from : g.u.v[0 : 10], global.u.v[0 : 8])
    printf("%g %g %d\n", g.sum[0], g.sum[1], g.u.v == host);
    for (int i = 0; i < 8; i++)
        printf("%g %g\n", g.u.v[i], global.u.v[i]);
    return 0;
}
