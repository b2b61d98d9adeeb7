// Nests whose innermost loops have few iterations, known to the compiler: 3, 5 · 3, 9 with `continue`, 2 · 3 · 3 in structs, beside loops
// that only the launch knows, rising and falling.
#include <stddef.h>
#include <stdio.h>

enum { N = 333, M = 21 };

struct matrices {
    float e[2][3][3];
};

int main(void)
{
    static float pixels[N][M][3], grey[N * 15];
    static struct matrices a[N], b[N];
    static int nine[M][N][9];
    int n = N, m = M;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 18; k++)
            (&a[i].e[0][0][0])[k] = (i * 7 + k) % 11 - 5;
#pragma acc parallel loop collapse(3) copyout(pixels)
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 0; j--)
            for (int c = 0; c < 3; c++)
                pixels[i][j][c] = i * 0.5f + j * 4 + c;
#pragma acc parallel loop gang copyout(grey)
    for (unsigned i = 0; i < (unsigned)n; i++)
#pragma acc loop vector collapse(2)
        for (long j = 4; j >= 0; j--)
            for (short c = 1; c <= 3; c++)
                grey[i * 15 + j * 3 + c - 1] = i + j * 100 + c * 0.25f;
#pragma acc parallel loop collapse(4) copyin(a) copyout(b)
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 2; d++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    float s = 0;
                    for (int x = 0; x < 3; x++)
                        s += a[i].e[d][k][x] * a[i].e[1 - d][x][l];
                    b[i].e[d][k][l] = s;
                }
#pragma acc parallel loop collapse(3) copy(nine)
    for (int j = 0; j < m; j++)
        for (size_t i = 0; i < N; i++)
            for (int k = 0; k < 9; k++) {
                if ((i + k) % 4 == 1)
                    continue;
                nine[j][i][k] = j * 1000 + (int)i * 10 + k;
            }
    double sum[4] = {0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            for (int c = 0; c < 3; c++)
                sum[0] += pixels[i][j][c] * (i % 5 + j % 3 + c);
        for (int k = 0; k < 15; k++)
            sum[1] += grey[i * 15 + k] * (k + i % 3);
        for (int k = 0; k < 18; k++)
            sum[2] += (&b[i].e[0][0][0])[k] * (k + i % 7);
        for (int j = 0; j < m; j++)
            for (int k = 0; k < 9; k++)
                sum[3] += (double)nine[j][i][k] * (k + 1);
    }
    printf("%.2f %.2f %.1f %.0f\n", sum[0], sum[1], sum[2], sum[3]);
    return 0;
}
