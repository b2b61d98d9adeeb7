// The host changes some elements of data that is on the device, and does not say so.
// env: ACCRUE_SIM_CHECK=all
// finds: stale: read of 4 bytes at byte
// finds: of 'a' (4000 bytes)
// finds: `update device`
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
#pragma acc parallel loop
        for (int i = 0; i < 1000; i++)
            b[i] = a[i]; // found here
    }
    printf("%d\n", b[17]);
}
