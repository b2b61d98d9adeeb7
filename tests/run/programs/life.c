// The game of life on a torus, two buffers in one data region, generations on the device.
// launches: 12
#include <stdio.h>

#define N 32

int main(void)
{
    static unsigned char g[2][N][N];
    int alive[12];
    g[0][1][2] = g[0][2][3] = g[0][3][1] = g[0][3][2] = g[0][3][3] = 1;
    for (int i = 10; i < 22; i++)
        g[0][16][i] = 1;
#pragma acc data copy(g)
    {
        for (int t = 0; t < 12; t++) {
            int from = t & 1, to = !from, count = 0;
#pragma acc parallel loop collapse(2) present(g) reduction(+:count)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++) {
                    int n = 0;
                    for (int di = -1; di <= 1; di++)
                        for (int dj = -1; dj <= 1; dj++)
                            if (di || dj)
                                n += g[from][(i + di + N) % N][(j + dj + N) % N];
                    g[to][i][j] = n == 3 || (n == 2 && g[from][i][j]);
                    count += g[to][i][j];
                }
            alive[t] = count;
        }
    }
    for (int t = 0; t < 12; t++)
        printf("%d ", alive[t]);
    unsigned h = 0;
    for (int i = 0; i < N * N; i++)
        h = h * 31 + (&g[0][0][0])[i];
    printf("%u\n", h);
    return 0;
}
