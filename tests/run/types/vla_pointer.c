// A pointer to a VLA row type: malloc'ed two-dimensional data.
// launches: 2
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 12, m = 5;
    int(*a)[m] = malloc((unsigned long)n * sizeof *a);
#pragma acc parallel loop collapse(2) copyout(a[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * 10 + j;
    int s = 0;
#pragma acc parallel loop gang copyin(a[0:n]) reduction(+:s)
    for (int i = 0; i < n; i++) {
        int row = 0;
#pragma acc loop vector reduction(+:row)
        for (int j = 0; j < m; j++)
            row += a[i][j];
        s += row * (i % 3);
    }
    printf("%d %d\n", s, a[11][4]);
    free(a);
    return 0;
}
