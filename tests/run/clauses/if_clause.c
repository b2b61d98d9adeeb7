// if on compute constructs: the host runs the region when it is false.
// launches: 5
#include <stdio.h>

static void run(int *a, int n, int threshold)
{
#pragma acc parallel loop copy(a[0:n]) if (n > threshold)
    for (int i = 0; i < n; i++)
        a[i] += n;
#pragma acc kernels copy(a[0:n]) if (threshold)
    for (int i = 0; i < n; i++)
        a[i] *= 2;
#pragma acc serial copy(a[0:n]) if (n > threshold && threshold > 0)
    a[0]++;
}

int main(void)
{
    int a[10] = {0};
    run(a, 10, 20);
    run(a, 10, 0);
    run(a, 5, 4);
    for (int i = 0; i < 10; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
