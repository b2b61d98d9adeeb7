// always: copies even when the data is already present.
// modes: discrete gpu (with shared memory there is only one copy)
// expect-output: always_modifier.expect
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[3] = {1, 2, 3};
#pragma acc data copyin(a)
    {
        a[0] = 10;
#pragma acc parallel loop copy(always: a)
        for (int i = 0; i < 3; i++)
            a[i] += 1;
        printf("%d %d %d\n", a[0], a[1], a[2]);
        a[1] = 20;
#pragma acc parallel loop copy(alwaysin: a)
        for (int i = 0; i < 3; i++)
            a[i] += 1;
        printf("%d %d %d\n", a[0], a[1], a[2]);
#pragma acc parallel loop copy(alwaysout: a)
        for (int i = 0; i < 3; i++)
            a[i] += 1;
        printf("%d %d %d\n", a[0], a[1], a[2]);
    }
    return 0;
}
