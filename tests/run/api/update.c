// acc_update_device and acc_update_self on parts of present data.
// expect-output: update.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[8] = {0}, s = 0;
    acc_copyin(a, sizeof a);
    for (int i = 0; i < 8; i++)
        a[i] = i + 1;
    acc_update_device(a, 4 * sizeof a[0]);
    acc_update_device(a + 4, 4 * sizeof a[0]);
#pragma acc parallel loop present(a) reduction(+:s)
    for (int i = 0; i < 8; i++) {
        s += a[i];
        a[i] *= 3;
    }
    acc_update_self(a + 2, 3 * sizeof a[0]);
    printf("%d %d %d %d\n", s, a[2], a[3], a[4]);
    acc_delete(a, sizeof a);
    return 0;
}
