// enter data twice needs exit data twice: only the last one copies out.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: dynamic_counter.expect
#include <stdio.h>

int main(void)
{
    int a[3] = {1, 2, 3};
#pragma acc enter data copyin(a)
    a[0] = 50;
#pragma acc enter data copyin(a)
#pragma acc parallel loop present(a)
    for (int i = 0; i < 3; i++)
        a[i] *= 10;
    printf("%d %d %d\n", a[0], a[1], a[2]);
#pragma acc exit data copyout(a)
    printf("%d %d %d\n", a[0], a[1], a[2]);
#pragma acc exit data copyout(a)
    printf("%d %d %d\n", a[0], a[1], a[2]);
    return 0;
}
