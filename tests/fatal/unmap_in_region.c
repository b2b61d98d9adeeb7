// acc_unmap_data while a data region uses the mapping.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[100];
    void *device = acc_malloc(sizeof a);
    acc_map_data(a, device, sizeof a);
#pragma acc data present(a)
    acc_unmap_data(a);
    printf("not reached\n");
    return 0;
}
