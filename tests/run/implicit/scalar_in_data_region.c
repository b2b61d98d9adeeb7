// A scalar that a lexically enclosing data region holds is present in the region, not firstprivate.
// launches: 3
#include <stdio.h>

int main(void)
{
    int count = 3, a[8];
#pragma acc data copy(count) copyout(a)
    {
#pragma acc serial
        count += 10;
#pragma acc parallel loop
        for (int i = 0; i < 8; i++)
            a[i] = count * i;
#pragma acc serial
        count++;
    }
    printf("%d %d\n", count, a[7]);
    return 0;
}
