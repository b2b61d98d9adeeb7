// present on data that is not on the device.
#include <stdio.h>

int main(void)
{
    int a[10] = {0};
#pragma acc parallel loop present(a)
    for (int i = 0; i < 10; i++)
        a[i] = i;
    printf("not reached %d\n", a[0]);
    return 0;
}
