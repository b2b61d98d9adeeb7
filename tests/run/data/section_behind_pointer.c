// A section that does not start at its pointer is found by the pointer's value.
#include <stdio.h>
#include <stdlib.h>

static void implicit_use(int *p)
{
#pragma acc parallel loop
    for (int i = 5; i < 55; i++)
        p[i] += i;
}

static void present(int *q)
{
#pragma acc parallel loop present(q)
    for (int i = 5; i < 55; i++)
        q[i] *= 2;
#pragma acc data present(q)
    {
#pragma acc kernels loop independent
        for (int i = 5; i < 55; i++)
            q[i] -= 1;
    }
}

static void by_address(int *p)
{
#pragma acc host_data use_device(p)
    {
        int *d = p;
#pragma acc parallel loop deviceptr(d)
        for (int i = 5; i < 55; i++)
            d[i] += 7;
    }
}

/* Numerical Recipes' way: the pointer is in front of its memory, here in another array. */
static void from_one(int *both)
{
    int *v = both + 9;
#pragma acc data copyin(both[0:10]) copy(v[1:10])
    {
#pragma acc parallel loop
        for (int i = 1; i <= 10; i++)
            v[i] += both[i - 1];
    }
}

int main(void)
{
    int *p = malloc(60 * sizeof *p), sum = 0;
    for (int i = 0; i < 60; i++)
        p[i] = i;
#pragma acc data copy(p[5:50])
    {
        implicit_use(p);
        present(p);
        by_address(p);
    }
#pragma acc enter data copyin(p[5:50])
    implicit_use(p);
#pragma acc update self(p)
    printf("%d\n", p[10]);
#pragma acc exit data copyout(p)
    /* Two sections of one pointer, one from its beginning. */
#pragma acc data copy(p[0:5], p[20:5])
#pragma acc parallel loop
    for (int i = 0; i < 5; i++)
        p[i] += 100;
    from_one(p);
    for (int i = 0; i < 60; i++)
        sum += p[i] * i;
    printf("%d\n", sum);
    free(p);
    return 0;
}
