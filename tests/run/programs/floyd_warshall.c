// All shortest paths: a sequential outer loop of regions over present data.
// launches: 24
#include <stdio.h>

#define N 24

int main(void)
{
    static int d[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : (i * 7 + j * 11) % 17 == 3 ? i + j + 1 : 100000;
#pragma acc data copy(d)
    for (int k = 0; k < N; k++) {
#pragma acc parallel loop gang present(d)
        for (int i = 0; i < N; i++) {
            if (i == k)
                continue;
            int ik = d[i][k];
#pragma acc loop vector
            for (int j = 0; j < N; j++)
                if (j != k && ik + d[k][j] < d[i][j])
                    d[i][j] = ik + d[k][j];
        }
    }
    long s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += d[i][j] * (i + 3L * j);
    printf("%ld %d\n", s, d[5][20]);
    return 0;
}
