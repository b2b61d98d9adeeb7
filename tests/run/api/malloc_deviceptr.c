// acc_malloc, acc_memcpy_to_device, a region with deviceptr, acc_memcpy_from_device, acc_free.
// expect-output: malloc_deviceptr.expect
// launches: 2
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int host[16], n = 16;
    int *d = acc_malloc(sizeof host), *e = acc_malloc(sizeof host);
    for (int i = 0; i < n; i++)
        host[i] = i;
    acc_memcpy_to_device(d, host, sizeof host);
#pragma acc parallel loop deviceptr(d, e)
    for (int i = 0; i < n; i++)
        e[i] = d[n - 1 - i] * 2;
#pragma acc data deviceptr(e)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++)
            e[i] += 1;
    }
    acc_memcpy_device(d, e, 8 * sizeof(int));
    acc_memcpy_from_device(host, d, sizeof host);
    for (int i = 0; i < n; i++)
        printf("%d ", host[i]);
    printf("\n");
    acc_free(d);
    acc_free(e);
    return 0;
}
