// The exit status of main and output before, between and after regions stay in order.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[3] = {1, 2, 3};
    printf("before\n");
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 3; i++)
        a[i] *= 2;
    printf("between %d\n", a[2]);
#pragma acc serial copy(a)
    a[0] += 5;
    printf("after %d\n", a[0]);
    return a[0] * 3;
}
