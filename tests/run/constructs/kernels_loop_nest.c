// kernels loop with nested loop directives and independent, matrix product of integers.
#include <stdio.h>

#define N 24

int main(void)
{
    static int a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
#pragma acc kernels loop independent copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++) {
#pragma acc loop independent
        for (int j = 0; j < N; j++) {
            int s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    }
    long h = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            h = h * 7 % 1000003 + c[i][j];
    printf("%ld\n", h);
    return 0;
}
