// Pointers to what is on the device, in elements of structs and arrays that regions use without a clause, in copies that regions make of them,
// in structs that they give to functions by value, and in global ones that these use.
// launches: 8
#include <stdio.h>
#include <stdlib.h>

struct field {
    int n;
    double *v;
};

struct pair {
    struct field one, two[2];
};

static struct field global[3], single;

static double at(struct field f, int i)
{
    return f.v[i];
}

static double of_single(int i)
{
    return single.v[i];
}

static void add(int i, double x)
{
    single.v[i] += x;
}

static double *numbers(int n, int start)
{
    double *v = malloc(n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = start + i;
#pragma acc enter data copyin(v[0:n])
    return v;
}

static void show(const char *name, double *v, int n)
{
#pragma acc exit data copyout(v[0:n])
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %g", v[i]);
    printf("\n");
}

int main(void)
{
    struct field some[3], f = {6, numbers(6, 1)};
    double *rows[4], r[6];
    for (int k = 0; k < 3; k++) {
        some[k].n = global[k].n = 4;
        some[k].v = numbers(4, 10 * k);
        global[k].v = numbers(4, 100 * k);
    }
    for (int k = 0; k < 4; k++)
        rows[k] = numbers(4, -k);
    single.v = numbers(6, 7);
    struct pair p = {f, {some[1], f}};
#pragma acc parallel loop
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < some[k].n; i++)
            some[k].v[i] += global[2 - k].v[i];
#pragma acc parallel loop collapse(2)
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4; i++)
            rows[k][i] += 100 * some[1].v[i];
#pragma acc parallel loop
    for (int k = 0; k < 3; k++) {
        struct field *q = &global[k];
        double *v = q->v;
        for (int i = 0; i < q->n; i++)
            v[i] += 0.5;
    }
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 6; i++) {
        r[i] = at(f, i) + of_single(i);
        add(i, r[i]);
    }
    show("single", single.v, 6);
#pragma acc parallel loop
    for (int i = 0; i < 6; i++) {
        struct field own = f;
        own.n++;
        own.v[i] *= own.n;
    }
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 6; i++)
        r[i] = p.two[1].v[i] + p.two[0].v[0] + p.one.v[0];
#pragma acc parallel loop
    for (int i = 0; i < 4; i++) {
        struct field *q = i < 2 ? &p.one : &p.two[i & 1];
        q->v[i] -= 1000;
    }
#pragma acc kernels
    for (int i = 0; i < 4; i++)
        rows[0][i] += f.v[i];
    for (int i = 0; i < 6; i++)
        printf("%g ", r[i]);
    printf("\n");
    show("f", f.v, 6);
    for (int k = 0; k < 3; k++) {
        show("some", some[k].v, 4);
        show("global", global[k].v, 4);
    }
    for (int k = 0; k < 4; k++)
        show("rows", rows[k], 4);
    return 0;
}
