// Array parameters: int a[], int a[static 4], int a[][5]; qualifiers and element sizes.
// launches: 3
#include <stdio.h>

static void one(int n, int a[])
{
#pragma acc parallel loop copy(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] += i;
}

static void two(int n, int a[][5], const int w[static 5])
{
#pragma acc parallel loop collapse(2) copy(a[0:n][0:5]) copyin(w[0:5])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 5; j++)
            a[i][j] += w[j] * (i + 1);
}

int main(void)
{
    int w[5] = {1, 2, 3, 4, 5}, g[4][5] = {{0}};
    one(5, w);
    two(4, g, w);
    one(20, &g[0][0]);
    for (int i = 0; i < 4; i++)
        printf("%d %d %d %d %d\n", g[i][0], g[i][1], g[i][2], g[i][3], g[i][4]);
    return 0;
}
