// Variable length arrays in two dimensions, as locals and as parameters.
// args: 9 14
// launches: 2
#include <stdio.h>
#include <stdlib.h>

static void scale(int n, int m, double a[n][m], double f)
{
#pragma acc parallel loop collapse(2) copy(a[0:n][0:m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] *= f;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3, m = argc > 2 ? atoi(argv[2]) : 4;
    double a[n][m];
#pragma acc parallel loop copyout(a)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * m + j;
    scale(n, m, a, 0.5);
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += a[i][j] * (i + 1);
    printf("%g %g %d\n", s, a[n - 1][m - 1], (int)(sizeof a / sizeof a[0]));
    return 0;
}
