// copyin data changed on the device stays as it was on the host.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: inner_copyin_not_copied_back.expect
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, seen[4];
#pragma acc parallel loop copyin(a) copyout(seen)
    for (int i = 0; i < 4; i++) {
        a[i] = -a[i];
        seen[i] = a[i];
    }
#pragma acc data copyin(b)
    {
#pragma acc parallel loop copy(b)
        for (int i = 0; i < 4; i++)
            b[i] *= 100;
    }
    for (int i = 0; i < 4; i++)
        printf("%d %d %d\n", a[i], seen[i], b[i]);
    return 0;
}
