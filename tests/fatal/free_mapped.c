// acc_free of the device's copy of mapped data.
// modes: discrete sim (on each)
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[10] = {0};
    acc_copyin(a, sizeof a);
    acc_free(acc_deviceptr(a));
    printf("not reached\n");
    return 0;
}
