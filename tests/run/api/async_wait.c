// acc_async_test, acc_wait, acc_wait_all, acc_wait_async and the default queue.
// expect-output: async_wait.expect
// launches: 3
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[100] = {0};
#pragma acc data copy(a)
    {
#pragma acc parallel loop async(1) present(a)
        for (int i = 0; i < 100; i++)
            a[i] = i;
        acc_wait_async(1, 2);
#pragma acc parallel loop async(2) present(a)
        for (int i = 0; i < 100; i++)
            a[i] += 1;
        acc_wait(2);
        printf("%d %d\n", acc_async_test(1) != 0, acc_async_test(2) != 0);
        acc_set_default_async(5);
        printf("%d\n", acc_get_default_async());
#pragma acc parallel loop async present(a)
        for (int i = 0; i < 100; i++)
            a[i] *= 2;
        acc_wait(5);
        acc_wait_all();
        printf("%d\n", acc_async_test_all() != 0);
        // Queues that are done with are crossed out, until none is left.
        int queues[3] = {1, 2, 5}, seen = 0, next;
        while ((next = acc_wait_any(3, queues)) >= 0) {
            queues[next] = acc_async_sync;
            seen = 10 * seen + next + 1;
        }
        printf("%d %d\n", seen, next);
    }
    printf("%d %d\n", a[0], a[99]);
    return 0;
}
