// != as the loop condition, with the bound on the left as well.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[20], n = 20;
#pragma acc parallel loop copyout(a)
    for (int i = 0; i != n; i++)
        a[i] = i;
#pragma acc parallel loop copy(a)
    for (int i = 0; 10 > i; ++i)
        a[i] += 50;
#pragma acc parallel loop copy(a)
    for (int i = 19; 15 <= i; i--)
        a[i] += 500;
    for (int i = 0; i < 20; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
