// The host gives its own copy back while the device still works with the data.
// env: ACCRUE_SIM_CHECK=all
// finds: nothing
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 1 << 18, sum = 0;
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i & 3;
    int *on_device = a;
#ifdef _OPENACC
    acc_copyin(a, n * sizeof *a);
    on_device = acc_deviceptr(a);
    free(a);
#endif
#pragma acc parallel loop deviceptr(on_device) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += on_device[i];
    printf("%d\n", sum);
}
