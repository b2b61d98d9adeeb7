// update without if_present on data that is not on the device.
#include <stdio.h>

int main(void)
{
    int a[10] = {0};
#pragma acc update self(a[2:3])
    printf("not reached %d\n", a[0]);
    return 0;
}
