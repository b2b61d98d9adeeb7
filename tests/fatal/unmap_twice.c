// acc_unmap_data twice on the same address.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[10];
    void *d = acc_malloc(sizeof a);
    acc_map_data(a, d, sizeof a);
    acc_unmap_data(a);
    acc_unmap_data(a);
    printf("not reached %d\n", a[0]);
    return 0;
}
