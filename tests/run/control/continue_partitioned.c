// continue in the body of a partitioned loop ends that iteration only.
#include <stdio.h>

int main(void)
{
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = i;
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 100; i++) {
        if (i % 3 == 0)
            continue;
        a[i] = -a[i];
        if (a[i] < -50)
            continue;
        a[i] *= 2;
    }
    for (int i = 0; i < 100; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
