// default(present): aggregates are found in the present table.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[25], b[25];
    for (int i = 0; i < 25; i++)
        b[i] = i * 4;
#pragma acc data copyin(b) copyout(a)
    {
#pragma acc parallel loop default(present)
        for (int i = 0; i < 25; i++)
            a[i] = b[i] + 1;
#pragma acc kernels loop default(present)
        for (int i = 0; i < 25; i++)
            a[i] += b[24 - i];
    }
    for (int i = 0; i < 25; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
