// Functions that contain regions are called in nested host loops, by each other and by recursion.
// launches: 12
#include <stdio.h>

static void add(int *a, int n, int v)
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += v;
}

static void halves(int *a, int n, int depth)
{
    if (depth == 0 || n < 2)
        return;
    add(a, n / 2, depth);
    halves(a, n / 2, depth - 1);
    halves(a + n / 2, n - n / 2, depth - 1);
}

int main(void)
{
    int a[17] = {0};
    halves(a, 17, 3);
    for (int t = 0; t < 5; t++)
        add(a, t + 3, 100);
    for (int i = 0; i < 17; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
