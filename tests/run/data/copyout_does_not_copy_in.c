// copyout and create do not bring host values; elements not written come back undefined, so all are written.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[10], scratch[10], x;
    for (int i = 0; i < 10; i++)
        a[i] = scratch[i] = -1;
    x = -1;
#pragma acc data copyout(a, x) create(scratch)
    {
#pragma acc parallel loop
        for (int i = 0; i < 10; i++)
            scratch[i] = i;
#pragma acc parallel loop
        for (int i = 0; i < 10; i++)
            a[i] = scratch[9 - i];
#pragma acc serial
        x = scratch[3];
    }
    printf("%d %d %d\n", a[0], a[9], x);
    return 0;
}
