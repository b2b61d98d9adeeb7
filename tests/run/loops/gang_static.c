// gang(static:*), gang(static:4) and gang(num:8): the schedule changes, the result does not.
// launches: 4
#include <stdio.h>

int main(void)
{
    int a[77], n = 3;
#pragma acc parallel loop gang(static : *) copyout(a)
    for (int i = 0; i < 77; i++)
        a[i] = i;
#pragma acc parallel loop gang(static : 4) vector copy(a)
    for (int i = 0; i < 77; i++)
        a[i] *= 2;
#pragma acc parallel loop gang(static : n) copy(a)
    for (int i = 0; i < 77; i++)
        a[i] += 1;
#pragma acc kernels loop gang(num : 8) copy(a)
    for (int i = 0; i < 77; i++)
        a[i] *= 3;
    for (int i = 0; i < 77; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
