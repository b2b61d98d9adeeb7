// Two sections of a pointer are mapped by two data constructs, and the loop accesses both.
#include <stdio.h>

static double t[20];

int main(void)
{
    double *p = t;
#pragma acc data copy(p[0:10])
#pragma acc data copy(p[10:10])
    {
#pragma acc parallel loop
        for (int i = 0; i < 20; i++)
            p[i] += 1;
    }
    printf("not reached\n");
    return 0;
}
