// Jacobi iteration with a maximum reduction until convergence, integers scaled so that results are exact.
// launches: 434
#include <stdio.h>

#define N 40

int main(void)
{
    static double a[N][N], b[N][N];
    for (int j = 0; j < N; j++)
        a[0][j] = b[0][j] = 1024;
    int rounds = 0;
    double change = 1e9;
#pragma acc data copy(a) copyin(b)
    {
        while (change > 1 && rounds < 500) {
            change = 0;
#pragma acc parallel loop gang present(a, b) reduction(max:change)
            for (int i = 1; i < N - 1; i++) {
#pragma acc loop vector reduction(max:change)
                for (int j = 1; j < N - 1; j++) {
                    b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                    double d = b[i][j] > a[i][j] ? b[i][j] - a[i][j] : a[i][j] - b[i][j];
                    change = d > change ? d : change;
                }
            }
#pragma acc parallel loop collapse(2) present(a, b)
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < N - 1; j++)
                    a[i][j] = b[i][j];
            rounds++;
        }
    }
    printf("%d %.10g %.10g\n", rounds, change, a[N / 2][N / 2]);
    return 0;
}
