// Rows of one array are columns of the other: blocks of few columns and more rows use all of what they load and store.
// finds: nothing
// counters: load-eff == 1, store-eff == 1
#include <stdio.h>

enum { N = 128 };
double a[N][N], b[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = 10 * i + j;
#pragma acc parallel loop collapse(2) copyin(a) copyout(b)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[i][j] = a[j][i];
    printf("%g %g\n", b[3][5], b[N - 1][7]);
}
