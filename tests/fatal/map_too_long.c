// acc_map_data of more than the device memory has.
// modes: shared discrete (the device is named)
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[100];
    void *device = acc_malloc(200);
    acc_map_data(a, device, sizeof a);
    printf("not reached\n");
    return 0;
}
