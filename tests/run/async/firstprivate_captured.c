// By-value arguments are taken when the region is enqueued: later changes on the host do not matter.
// launches: 10
#include <stdio.h>

int main(void)
{
    int a[10];
#pragma acc data copyout(a)
    {
        int k = 0;
        for (k = 0; k < 10; k++) {
#pragma acc serial async(1) present(a)
            a[k] = k * k;
        }
        k = -1000;
#pragma acc wait(1)
    }
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
