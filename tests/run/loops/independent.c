// loop independent on indirect accesses that the user knows to be distinct.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[128], idx[128];
    for (int i = 0; i < 128; i++)
        idx[i] = i * 5 % 128;
#pragma acc kernels copyout(a) copyin(idx)
    {
#pragma acc loop independent
        for (int i = 0; i < 128; i++)
            a[idx[i]] = i;
    }
#pragma acc parallel loop independent copy(a)
    for (int i = 0; i < 64; i++) {
        int t = a[2 * i];
        a[2 * i] = a[2 * i + 1];
        a[2 * i + 1] = t;
    }
    for (int i = 0; i < 128; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
