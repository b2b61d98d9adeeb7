// Two variables of one directive that are the same memory: what each of them asks for is done.
#include <stdio.h>
#include <stdlib.h>

static void resid(double *v, double *r, int n)
{
#pragma acc data copyin(v[0:n]) copyout(r[0:n])
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            r[i] = 2 * v[i] + 1;
    }
}

static void reversed(double *r, double *v, int n)
{
#pragma acc data copyout(r[0:n]) copyin(v[0:n])
#pragma acc parallel loop present(r, v)
    for (int i = 0; i < n; i++)
        r[i] = 2 * v[i] + 1;
}

static void on_construct(double *v, double *r, double *part, int n)
{
#pragma acc parallel loop copyin(v[0:n]) create(part[0:4]) copyout(r[0:n])
    for (int i = 0; i < n; i++)
        r[i] = 2 * v[i] + 1;
}

static void unstructured(double *r, double *v, int n)
{
#pragma acc enter data create(r[0:n]) copyin(v[0:n])
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
        r[i] = 2 * v[i] + 1;
#pragma acc exit data copyout(r[0:n]) delete(v[0:n])
}

int main(void)
{
    int n = 50;
    double *p = malloc(n * sizeof *p), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = i;
    resid(p, p, n);
    printf("%g %g\n", p[3], p[49]);
    reversed(p, p, n);
    printf("%g %g\n", p[3], p[49]);
    on_construct(p, p, p + 7, n);
    printf("%g %g\n", p[3], p[49]);
    on_construct(p, p, p, n);
    printf("%g %g\n", p[3], p[49]);
    unstructured(p, p, n);
    printf("%g %g\n", p[3], p[49]);
    /* Present from outside: nothing comes back before its end. */
#pragma acc data copy(p[0:n])
    {
        resid(p, p, n);
        unstructured(p, p, n);
    }
    for (int i = 0; i < n; i++)
        sum += p[i];
    printf("%g\n", sum);
    free(p);
    return 0;
}
