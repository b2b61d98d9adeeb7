// Sections with lower bounds other than zero, of arrays and of pointers.
// launches: 4
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int a[50], n = 20, *p = malloc(100 * sizeof *p);
    for (int i = 0; i < 50; i++)
        a[i] = i;
    for (int i = 0; i < 100; i++)
        p[i] = i;
#pragma acc parallel loop copy(a[10:20])
    for (int i = 10; i < 30; i++)
        a[i] = -a[i];
#pragma acc parallel loop copy(p[n:n + 5]) copyin(a[:10])
    for (int i = n; i < 2 * n + 5; i++)
        p[i] += a[i % 10] * 1000;
#pragma acc parallel loop copyin(a[45:]) copy(p[2:1])
    for (int i = 0; i < 1; i++)
        p[2] = a[45] + a[49];
    int *mid = p + 50;
#pragma acc parallel loop copy(mid[-10:20])
    for (int i = -10; i < 10; i++)
        mid[i] *= 2;
    for (int i = 0; i < 50; i++)
        printf("%d %d %d\n", a[i], p[i], p[i + 50]);
    free(p);
    return 0;
}
