// acc_map_data binds host memory to device memory the program allocated itself.
// modes: discrete gpu (with shared memory host and device addresses are the same)
// expect-output: map_data.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[12];
    for (int i = 0; i < 12; i++)
        a[i] = i;
    void *d = acc_malloc(sizeof a);
    acc_map_data(a, d, sizeof a);
    printf("%d %d\n", acc_is_present(a, sizeof a) != 0, acc_deviceptr(a) == d);
#pragma acc update device(a)
#pragma acc parallel loop present(a)
    for (int i = 0; i < 12; i++)
        a[i] += 5;
#pragma acc update self(a)
    acc_unmap_data(a);
    acc_free(d);
    printf("%d %d %d\n", a[0], a[11], acc_is_present(a, sizeof a) != 0);
    return 0;
}
