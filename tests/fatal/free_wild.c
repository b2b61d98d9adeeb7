// acc_free of an address that acc_malloc did not return.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[10];
    acc_free(a);
    printf("not reached %d\n", a[0]);
    return 0;
}
