// acc_unmap_data on an address that was never mapped.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[10];
    acc_unmap_data(a);
    printf("not reached %d\n", a[0]);
    return 0;
}
