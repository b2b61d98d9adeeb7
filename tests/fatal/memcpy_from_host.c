// acc_memcpy_from_device from an address of the host.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static char host[100], other[100];
    acc_memcpy_from_device(host, other, 100);
    printf("not reached\n");
    return 0;
}
