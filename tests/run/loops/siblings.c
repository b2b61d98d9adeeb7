// Several worker and vector loops side by side in one gang loop; later ones read what earlier ones wrote.
#include <stdio.h>

#define N 20
#define M 50

int main(void)
{
    static int a[N][M], b[N][M], c[N];
#pragma acc parallel loop gang copyout(a, b, c)
    for (int i = 0; i < N; i++) {
#pragma acc loop vector
        for (int j = 0; j < M; j++)
            a[i][j] = i + j;
#pragma acc loop worker
        for (int j = 0; j < M; j++)
            b[i][j] = a[i][M - 1 - j] * 2;
        int s = 0;
#pragma acc loop worker vector reduction(+:s)
        for (int j = 0; j < M; j++)
            s += a[i][j] * b[i][j];
        c[i] = s;
    }
    for (int i = 0; i < N; i++)
        printf("%d %d %d\n", a[i][49], b[i][7], c[i]);
    return 0;
}
