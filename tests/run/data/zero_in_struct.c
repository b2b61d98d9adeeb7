// create(zero:) of what a pointer in a struct leads to, whoever has mapped the struct.
#include <stdio.h>
#include <stdlib.h>

struct table {
    int n;
    int *count;
};

static void fill(struct table *t, int *out)
{
#pragma acc parallel loop present(t[0:1]) copyout(out[0:10])
    for (int i = 0; i < t->n; i++)
        out[i] = t->count[i] + i;
}

int main(void)
{
    int out[10];
    struct table t = {10, calloc(10, sizeof(int))}, u = t;
#ifdef _OPENACC
    for (int i = 0; i < 10; i++)
        t.count[i] = 77;
#endif
#pragma acc data copyin(t) create(zero : t.count[0:10])
    fill(&t, out);
    printf("%d\n", out[9]);
#ifdef _OPENACC
    for (int i = 0; i < 10; i++)
        t.count[i] = 77;
#endif
#pragma acc data copyin(u)
    {
#pragma acc data create(zero : u.count[0:10])
        fill(&u, out);
    }
    printf("%d\n", out[9]);
#ifdef _OPENACC
    for (int i = 0; i < 10; i++)
        t.count[i] = 77;
#endif
#pragma acc parallel loop copyin(t) create(zero : t.count[0:10]) copyout(out)
    for (int i = 0; i < 10; i++)
        out[i] = t.count[i] - i;
    printf("%d\n", out[9]);
    free(t.count);
    return 0;
}
