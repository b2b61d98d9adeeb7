// Two-dimensional arrays: static, transposed, passed as a whole.
// launches: 2
#include <stdio.h>

#define N 17
#define M 23

static int a[N][M], t[M][N];

int main(void)
{
#pragma acc parallel loop collapse(2) copyout(a)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = i * 100 + j;
#pragma acc parallel loop gang copyin(a) copyout(t)
    for (int j = 0; j < M; j++) {
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            t[j][i] = a[i][j];
    }
    long s = 0;
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++)
            s = s * 3 % 1000003 + t[j][i];
    printf("%ld %d %d\n", s, t[22][16], t[3][4]);
    return 0;
}
