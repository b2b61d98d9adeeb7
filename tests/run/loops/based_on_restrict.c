// Bounds that are read through a `restrict` pointer, and that the body changes through what is based on it: another variable, a sum, a cast.
#include <stdio.h>

struct size {
    int n, k;
};

static int other(int *restrict p)
{
    int *q = p, s = 0;
#pragma acc kernels copy(p[0:2], s)
    for (int i = 0; i < p[1]; i++) {
        s = s + 1;
        if (i == 5)
            q[1] = 0;
    }
    return s;
}

static int sum(int *restrict p)
{
    int s = 0;
#pragma acc kernels copy(p[0:2])
    for (int i = 0; i < p[1]; i++) {
        s = s + 1;
        if (i == 5)
            *(p + 1) = 0;
    }
    return s;
}

static int cast(struct size *restrict p)
{
    int s = 0;
#pragma acc kernels copy(p[0:1])
    for (int i = 0; i < p->n; i++) {
        s = s + 1;
        if (i == 5)
            ((struct size *)p)->n = 0;
    }
    return s;
}

static int inside(int *restrict p)
{
    int *q = p, s = 0;
#pragma acc parallel loop gang copy(p[0:2]) reduction(+ : s)
    for (int j = 0; j < 1; j++)
        for (int i = 0; i < p[1]; i++) {
            s++;
            if (i == 5)
                q[1] = 0;
        }
    return s;
}

// A parameter that is set to it.
static int set_again(int *restrict p, int *q)
{
    int s = 0;
    q = p;
#pragma acc parallel loop gang copy(p[0:2]) reduction(+ : s)
    for (int j = 0; j < 1; j++)
        for (int i = 0; i < p[1]; i++) {
            s++;
            if (i == 6)
                q[1] = 0;
        }
    return s;
}

// The promise holds for another parameter.
static int promised(int *restrict p, int *q)
{
    int s = 0;
#pragma acc parallel loop gang copy(p[0:2], q[0:64]) reduction(+ : s)
    for (int j = 0; j < 1; j++)
        for (int i = 0; i < p[1]; i++) {
            s++;
            q[i] = i;
        }
    return s;
}

int main(void)
{
    int a[6][2] = {{0, 64}, {0, 64}, {0, 64}, {0, 64}, {0, 64}, {0, 64}}, q[64];
    struct size s = {64, 0};
    printf("%d %d %d %d %d %d\n", set_again(a[5], q), other(a[0]), sum(a[1]), cast(&s), inside(a[3]), promised(a[4], q));
    return q[63] == 63 ? 0 : 1;
}
