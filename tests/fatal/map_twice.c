// acc_map_data on data that is present already.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[10];
    void *d = acc_malloc(sizeof a), *e = acc_malloc(sizeof a);
    acc_map_data(a, d, sizeof a);
    acc_map_data(a, e, sizeof a);
    printf("not reached %d\n", a[0]);
    return 0;
}
