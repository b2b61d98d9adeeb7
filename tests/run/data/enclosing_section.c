// An enclosing data construct maps a section of an array; the region inside uses the array without a clause.
// launches: 3
#include <stdio.h>

static double g[100];

int main(void)
{
    double a[100];
    int m[10][4];
    for (int i = 0; i < 100; i++)
        a[i] = i;
    for (int i = 0; i < 40; i++)
        m[i / 4][i % 4] = i;
#pragma acc data copy(a[20:50]) copyout(g[5:10]) copy(m[3:4])
    {
#pragma acc parallel loop
        for (int i = 20; i < 70; i++)
            a[i] *= 2;
#pragma acc parallel loop
        for (int i = 5; i < 15; i++)
            g[i] = a[i + 20];
#pragma acc kernels
        for (int i = 3; i < 7; i++)
            for (int j = 0; j < 4; j++)
                m[i][j] += 100;
    }
    printf("%g %g %g %g\n", a[19], a[20], a[69], a[70]);
    printf("%g %g %g %g\n", g[4], g[5], g[14], g[15]);
    printf("%d %d %d %d\n", m[2][3], m[3][0], m[6][3], m[7][0]);
    return 0;
}
