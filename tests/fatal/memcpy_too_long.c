// acc_memcpy_to_device of more bytes than were allocated.
// modes: shared discrete (the simulator's messages are its own)
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static char host[2000];
    char *device = acc_malloc(1000);
    acc_memcpy_to_device(device, host, 1000);
    acc_memcpy_from_device(host, device + 500, 500);
    acc_memcpy_to_device(device + 500, host, 501);
    printf("not reached\n");
    return 0;
}
