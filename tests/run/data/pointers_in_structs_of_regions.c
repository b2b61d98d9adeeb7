// What pointers in structs lead to is on the device by directives elsewhere; regions use the structs without a clause, by value, in a copy that
// they write, through functions and local variables. A pointer that a region keeps is the host's.
// launches: 12
#include <stdio.h>
#include <stdlib.h>

struct field {
    int n;
    double *v;
    struct {
        int *rows;
    };
};

struct grid {
    double sum[2];
    struct field u;
    const double *weights;
};

static struct grid global;

static void by_value(struct field f)
{
#pragma acc parallel loop
    for (int i = 0; i < f.n; i++)
        f.v[i] += f.rows[i];
}

#pragma acc routine seq
static double at(const struct field *f, int i)
{
    return f->v[f->rows[i]];
}

static void of_global(void)
{
#pragma acc parallel loop
    for (int i = 0; i < global.u.n; i++)
        global.u.v[i] *= global.weights[i % 2];
#pragma acc kernels
    for (int i = 0; i < global.u.n; i++)
        global.u.v[i] += 1;
}

static void fill(struct field *f, int n)
{
    f->n = n;
    f->v = malloc(n * sizeof(double));
    f->rows = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        f->v[i] = i;
        f->rows[i] = n - 1 - i;
    }
}

int main(void)
{
    double weights[2] = {2, 3};
    struct grid g = {{0, 0}};
    struct field f, kept[4], empty = {0};
    fill(&g.u, 10);
    fill(&f, 6);
    fill(&global.u, 8);
    global.weights = g.weights = weights;
    double *host = g.u.v;
#pragma acc enter data copyin(g.u.v[0:10], g.u.rows[0:10], f.v[0:6], f.rows[0:6])
#pragma acc enter data copyin(global.u.v[0:8], weights)
    by_value(f);
    by_value(g.u);
    of_global();
    // The region writes the struct, which comes back with the host's pointers.
#pragma acc parallel loop
    for (int i = 0; i < 2; i++)
        g.sum[i] = g.weights[i] + g.u.v[i];
    printf("%g %g %d\n", g.sum[0], g.sum[1], g.u.v == host && g.weights == weights);
    double sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < 6; i++)
        sum += at(&f, i);
    printf("%g\n", sum);
#pragma acc parallel loop firstprivate(f)
    for (int i = 0; i < 6; i++) {
        double *v = f.v;
        if (f.rows)
            v += f.rows[i];
        *v += 0.5;
    }
    // Pointers that go elsewhere are what they are on the host.
#pragma acc parallel loop copyout(kept)
    for (int i = 0; i < 4; i++) {
        kept[i].n = i;
        kept[i].v = f.v;
        kept[i].rows = empty.rows;
    }
    printf("%d %d\n", kept[3].v == f.v, kept[2].rows == NULL);
    // So it is with structs in clauses of the construct.
#pragma acc parallel loop copyin(f)
    for (int i = 0; i < 6; i++)
        f.v[i] += 0.125 * f.rows[i];
#pragma acc parallel loop copy(g)
    for (int i = 0; i < 10; i++)
        g.u.v[i] += g.sum[0];
    printf("%d\n", g.u.v == host);
    // The struct comes to the device as well, and the pointer in it is attached once more with its section.
#pragma acc enter data copyin(f, f.v[0:6])
#pragma acc serial
    f.v[0] += f.n;
#pragma acc exit data delete(f, f.v[0:6])
#pragma acc exit data copyout(g.u.v[0:10], f.v[0:6], global.u.v[0:8]) delete(g.u.rows[0:10], f.rows[0:6], weights)
#pragma acc parallel loop copy(host[0:10])
    for (int i = 0; i < 10; i++)
        host[i] *= 2;
    for (int i = 0; i < 6; i++)
        printf("%g %g %g\n", g.u.v[i], f.v[i], global.u.v[i]);
    return 0;
}
