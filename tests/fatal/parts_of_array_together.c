// Two sections of an array are present, and a loop without any clause accesses both.
#include <stdio.h>

static double t[20];

int main(void)
{
#pragma acc enter data copyin(t[0:10])
#pragma acc enter data copyin(t[10:10])
#pragma acc parallel loop
    for (int i = 5; i < 15; i++)
        t[i] += 1;
    printf("not reached\n");
    return 0;
}
