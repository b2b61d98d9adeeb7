// LU decomposition without pivoting on an integer-valued matrix whose factors are exact.
// launches: 19
#include <stdio.h>

#define N 20

int main(void)
{
    static double a[N][N], l[N][N], u[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            l[i][j] = i == j ? 1 : i > j ? (i + j) % 3 - 1 : 0;
            u[i][j] = i == j ? 2 : i < j ? (i * j) % 4 : 0;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                a[i][j] += l[i][k] * u[k][j];
#pragma acc data copy(a)
    for (int k = 0; k < N - 1; k++) {
#pragma acc parallel loop gang present(a)
        for (int i = k + 1; i < N; i++) {
            double f = a[i][k] / a[k][k];
            a[i][k] = f;
#pragma acc loop vector
            for (int j = k + 1; j < N; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    int bad = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            bad += a[i][j] != (i > j ? l[i][j] : u[i][j]);
    printf("%d\n", bad);
    return 0;
}
