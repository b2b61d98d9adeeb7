// Host and device copies differ until an update moves one to the other.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: update_needed.expect
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[3] = {1, 2, 3}, out[3];
#pragma acc data copyin(a) copyout(out)
    {
        a[0] = 100;
        a[1] = 200;
#pragma acc parallel loop
        for (int i = 0; i < 3; i++)
            out[i] = a[i];
#pragma acc update self(out)
        printf("%d %d %d\n", out[0], out[1], out[2]);
#pragma acc update device(a[1:1])
#pragma acc parallel loop
        for (int i = 0; i < 3; i++)
            a[i] += out[i] * 0 + 1000;
        printf("%d %d %d\n", a[0], a[1], a[2]);
#pragma acc update self(a[1:2])
        printf("%d %d %d\n", a[0], a[1], a[2]);
    }
    return 0;
}
