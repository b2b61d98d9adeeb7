// acc_copyin_async, acc_update_self_async and acc_copyout_async in a queue.
// expect-output: async_copies.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static int a[1000], b[1000];
    for (int i = 0; i < 1000; i++)
        a[i] = i;
    acc_copyin_async(a, sizeof a, 3);
    acc_create_async(b, sizeof b, 3);
#pragma acc parallel loop present(a, b) async(3)
    for (int i = 0; i < 1000; i++)
        b[i] = a[999 - i];
    acc_update_self_async(b, sizeof b, 3);
    acc_wait(3);
    printf("%d %d\n", b[0], b[999]);
    acc_copyout_async(b, sizeof b, 3);
    acc_delete_async(a, sizeof a, 3);
    acc_wait(3);
    printf("%d\n", b[500]);
    return 0;
}
