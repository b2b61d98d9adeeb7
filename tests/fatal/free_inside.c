// acc_free of an address inside of a block.
// modes: shared discrete (the device is named)
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    char *device = acc_malloc(1000);
    acc_free(device + 8);
    printf("not reached\n");
    return 0;
}
