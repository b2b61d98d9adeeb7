// Static, variable length and two-dimensional arrays named whole in data clauses.
// args: 7 9
// launches: 2
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2, m = argc > 2 ? atoi(argv[2]) : 3;
    int v[n], w[n][m];
    static int g[5][4];
#pragma acc data copyout(v, w) copy(g)
    {
#pragma acc parallel loop
        for (int i = 0; i < n; i++) {
            v[i] = i + 1;
            for (int j = 0; j < m; j++)
                w[i][j] = v[i] * j;
        }
#pragma acc parallel loop collapse(2)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 4; j++)
                g[i][j] = w[i][j] + v[j];
    }
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s += w[i][j] * (i + j) + v[i];
    printf("%d %d %d\n", s, g[4][3], w[n - 1][m - 1]);
    return 0;
}
