// `stale/missing_update` as it should be.
// env: ACCRUE_SIM_CHECK=all
// finds: nothing
#include <stdio.h>

int main(void)
{
    int a[1000], b[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = i;
#pragma acc data copyin(a) copyout(b)
    {
        for (int i = 17; i <= 20; i++)
            a[i] = -1;
#pragma acc update device(a[17:4])
#pragma acc parallel loop
        for (int i = 0; i < 1000; i++)
            b[i] = a[i];
    }
    printf("%d %d\n", b[16], b[17]);
}
