// Two-dimensional array parameters and VLA parameters of functions called in a region.
// launches: 2
#include <stdio.h>

static double trace(double m[4][4])
{
    double t = 0;
    for (int i = 0; i < 4; i++)
        t += m[i][i];
    return t;
}

static int corner(int n, int m, int a[n][m]) { return a[0][0] + a[n - 1][m - 1] + (int)(sizeof a[0]); }

int main(void)
{
    double m[6][4][4], t[6];
    int g[5][3], c = 0;
#pragma acc parallel loop copyout(m, t)
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                m[k][i][j] = k + i * j;
        t[k] = trace(m[k]);
    }
    for (int i = 0; i < 15; i++)
        g[i / 3][i % 3] = i;
#pragma acc serial copyin(g) copy(c)
    c = corner(5, 3, g);
    for (int k = 0; k < 6; k++)
        printf("%g\n", t[k]);
    printf("%d\n", c);
    return 0;
}
