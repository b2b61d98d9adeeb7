// self on compute constructs runs the region on the local device: with and without a condition.
#include <stdio.h>

int main(void)
{
    int a[10] = {0}, local = 0;
#pragma acc parallel loop copy(a) self(local)
    for (int i = 0; i < 10; i++)
        a[i] += 1;
    local = 1;
#pragma acc parallel loop copy(a) self(local)
    for (int i = 0; i < 10; i++)
        a[i] += 10;
#pragma acc serial self copy(a)
    for (int i = 0; i < 10; i++)
        a[i] += 100;
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
