// Data may be mapped again, with another extent, after its region ended.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[40] = {0};
#pragma acc data copy(a[0:10])
    {
#pragma acc parallel loop present(a[0:10])
        for (int i = 0; i < 10; i++)
            a[i] += 1;
    }
#pragma acc data copy(a[5:30])
    {
#pragma acc parallel loop present(a[5:30])
        for (int i = 5; i < 35; i++)
            a[i] += 10;
    }
#pragma acc data copy(a)
    {
#pragma acc parallel loop present(a)
        for (int i = 0; i < 40; i++)
            a[i] += 100;
    }
    for (int i = 0; i < 40; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
