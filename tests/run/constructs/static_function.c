// Regions in static and inline functions, called from several places and through a pointer on the host.
// launches: 3
#include <stdio.h>

static inline int sum(const int *a, int n)
{
    int s = 0;
#pragma acc parallel loop copyin(a[0:n]) reduction(+:s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

static int (*volatile indirect)(const int *, int) = sum;

int main(void)
{
    int a[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    printf("%d %d %d\n", sum(a, 9), sum(a + 2, 3), indirect(a, 4));
    return 0;
}
