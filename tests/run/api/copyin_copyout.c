// acc_copyin, acc_copyout, acc_create, acc_delete around regions with present.
// expect-output: copyin_copyout.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[10], b[10];
    for (int i = 0; i < 10; i++)
        a[i] = i;
    acc_copyin(a, sizeof a);
    acc_create(b, sizeof b);
#pragma acc parallel loop present(a, b)
    for (int i = 0; i < 10; i++) {
        b[i] = a[i] * 10;
        a[i] = -1;
    }
    acc_copyout(b, sizeof b);
    acc_copyout(a, sizeof a);
    for (int i = 0; i < 10; i++)
        printf("%d %d\n", a[i], b[i]);
    return 0;
}
