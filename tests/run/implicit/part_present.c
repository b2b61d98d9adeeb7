// Arrays without a clause of which `enter data` has brought a part, as programs do that share them out among devices.
// launches: 7
#include <stdio.h>

#define N 48
#define M 6

static double grid[N][M], next[N][M];
static int lower[2] = {1, 8}, upper[2] = {N - 1, 24};

static void step(int d)
{
#pragma acc kernels async
    for (int i = lower[d]; i < upper[d]; i++)
        for (int j = 1; j < M - 1; j++)
            next[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
#pragma acc parallel loop async
    for (int i = lower[d]; i < upper[d]; i++)
        for (int j = 1; j < M - 1; j++)
            grid[i][j] = next[i][j];
#pragma acc wait
}

int main(void)
{
    double sums[N];
    for (int i = 0; i < N; i++) {
        sums[i] = -i;
        for (int j = 0; j < M; j++)
            grid[i][j] = (i * 7 + j * 3) % 11;
    }
    for (int d = 0; d < 2; d++) {
        int lo = lower[d], n = upper[d] - lower[d];
#pragma acc enter data copyin(grid[lo - 1:n + 2][0:M]) create(next[lo:n][0:M])
        for (int k = 0; k < 1 + d; k++)
            step(d);
#pragma acc exit data copyout(grid[lo - 1:n + 2][0:M]) delete(next[lo:n][0:M])
    }
    // A local array, which the region reads and writes.
#pragma acc enter data copyin(sums[10:20])
#pragma acc parallel loop
    for (int i = 10; i < 30; i++)
        sums[i] = sums[i] * 2 + grid[i][2];
#pragma acc exit data copyout(sums[10:20])
    double s = 0;
    for (int i = 0; i < N; i++)
        s = s * 0.9 + sums[i] + grid[i][1] * (i + 1) - grid[i][M - 2];
    printf("%.9g %g %g\n", s, sums[9], sums[29]);
    return 0;
}
