// acc_unmap_data on data that acc_copyin mapped.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[10];
    acc_copyin(a, sizeof a);
    acc_unmap_data(a);
    printf("not reached %d\n", a[0]);
    return 0;
}
