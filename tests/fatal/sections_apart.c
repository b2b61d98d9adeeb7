// A variable of which two sections are present in two mappings: a kernel has one address for it.
#include <stdio.h>

int main(void)
{
    static double t[100];
    double *p = t;
#pragma acc enter data copyin(p[0:10])
#pragma acc enter data copyin(p[50:10])
#pragma acc parallel loop present(p[0:10]) copy(p[50:10])
    for (int i = 0; i < 10; i++)
        p[50 + i] = p[i];
    printf("not reached %g\n", t[0]);
    return 0;
}
