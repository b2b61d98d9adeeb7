// Two sections of a pointer are present, and the loop does not show which of them it accesses.
#include <stdio.h>

static double t[20];
static int at[10];

static void add(double *p)
{
#pragma acc parallel loop default(present) copyin(at)
    for (int i = 0; i < 10; i++)
        p[at[i]] += 1;
}

int main(void)
{
    for (int i = 0; i < 10; i++)
        at[i] = 19 - i;
#pragma acc enter data copyin(t[0:10])
#pragma acc enter data copyin(t[10:10])
    add(t);
    printf("not reached\n");
    return 0;
}
