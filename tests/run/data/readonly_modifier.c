// copyin(readonly:) on data that the region only reads.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[20], b[20];
    for (int i = 0; i < 20; i++)
        a[i] = i * i;
#pragma acc parallel loop copyin(readonly: a) copyout(b)
    for (int i = 0; i < 20; i++)
        b[i] = a[19 - i];
#pragma acc data copyin(readonly: b[0:20])
    {
#pragma acc parallel loop copyout(a)
        for (int i = 0; i < 20; i++)
            a[i] = b[i] + 1;
    }
    printf("%d %d %d\n", a[0], a[10], b[19]);
    return 0;
}
