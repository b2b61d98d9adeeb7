// acc_copyin counts: copyout and delete act at the last reference, the _finalize forms at once.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: counters.expect
// launches: 1
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[2] = {1, 2};
    acc_copyin(a, sizeof a);
    acc_copyin(a, sizeof a);
#pragma acc serial present(a)
    a[0] = 50;
    acc_copyout(a, sizeof a);
    printf("%d %d\n", a[0], acc_is_present(a, sizeof a) != 0);
    acc_copyout(a, sizeof a);
    printf("%d %d\n", a[0], acc_is_present(a, sizeof a) != 0);
    acc_create(a, sizeof a);
    acc_create(a, sizeof a);
    acc_delete(a, sizeof a);
    printf("%d\n", acc_is_present(a, sizeof a) != 0);
    acc_delete_finalize(a, sizeof a);
    printf("%d\n", acc_is_present(a, sizeof a) != 0);
    acc_copyin(a, sizeof a);
    acc_copyin(a, sizeof a);
    acc_copyout_finalize(a, sizeof a);
    printf("%d %d\n", a[0], acc_is_present(a, sizeof a) != 0);
    return 0;
}
