// A VLA declared inside the region: each iteration has its own.
#include <stdio.h>

int main(void)
{
    int r[15], base = 3;
    double q[15];
#pragma acc parallel loop copyout(r)
    for (int i = 0; i < 15; i++) {
        int n = base + i % 4;
        int tmp[n][2];
        for (int k = 0; k < n; k++) {
            tmp[k][0] = i + k;
            tmp[n - 1 - k][1] = k;
        }
        int s = 0;
        for (int k = 0; k < n; k++)
            s = s * 3 + tmp[k][0] - tmp[k][1];
        r[i] = s + (int)sizeof tmp;
    }
#pragma acc parallel loop copyout(q)
    for (int i = 0; i < 15; i++) {
        int n = base + i % 4, m = base + i % 3;
        double t[n][m], u[2][n][m + 1];
        for (int k = 0; k < n; k++)
            for (int l = 0; l < m; l++) {
                t[k][l] = k + 10 * l;
                u[k % 2][n - 1 - k][l + 1] = t[k][l] + i;
            }
        q[i] = t[n - 1][m - 2] + u[0][n - 1][m] + sizeof u / sizeof t[0];
    }
    for (int i = 0; i < 15; i++)
        printf("%d %g\n", r[i], q[i]);
    return 0;
}
