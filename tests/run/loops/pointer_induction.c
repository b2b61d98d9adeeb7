// A pointer as the induction variable of a partitioned loop.
#include <stdio.h>

int main(void)
{
    int a[60];
    for (int i = 0; i < 60; i++)
        a[i] = i;
#pragma acc parallel copy(a)
    {
#pragma acc loop
        for (int *p = a; p < a + 60; p++)
            *p = *p * 2 + 1;
    }
    for (int i = 0; i < 60; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
