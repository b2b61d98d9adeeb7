// Blocked transposition with a private tile per gang iteration.
#include <stdio.h>

#define N 40
#define B 8

int main(void)
{
    static int a[N][N], t[N][N];
    int tile[B][B];
    for (int i = 0; i < N * N; i++)
        (&a[0][0])[i] = i;
#pragma acc parallel loop gang collapse(2) private(tile) copyin(a) copyout(t)
    for (int bi = 0; bi < N; bi += B)
        for (int bj = 0; bj < N; bj += B) {
#pragma acc loop vector collapse(2)
            for (int i = 0; i < B; i++)
                for (int j = 0; j < B; j++)
                    tile[j][i] = a[bi + i][bj + j];
#pragma acc loop vector collapse(2)
            for (int i = 0; i < B; i++)
                for (int j = 0; j < B; j++)
                    t[bj + i][bi + j] = tile[i][j];
        }
    int bad = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            bad += t[j][i] != a[i][j];
    printf("%d\n", bad);
    return 0;
}
