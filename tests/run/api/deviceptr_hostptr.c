// acc_deviceptr and acc_hostptr are inverse, also inside an object; data reached through acc_deviceptr.
// expect-output: deviceptr_hostptr.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[20];
    for (int i = 0; i < 20; i++)
        a[i] = i;
    int *d0 = acc_copyin(a, sizeof a);
    int *d = acc_deviceptr(a);
    printf("%d %d %d\n", d0 == d, acc_deviceptr(a + 5) == (void *)(d + 5), acc_hostptr(d + 7) == (void *)(a + 7));
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < 20; i++)
        d[i] *= 2;
    acc_copyout(a, sizeof a);
    printf("%d %d\n", a[0], a[19]);
    return 0;
}
