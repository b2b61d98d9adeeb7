// Several sections of an array are present, each by itself. A region that names none means the one that its loops access.
// launches: 6
#include <stdio.h>

#define N 48
#define M 6

static double grid[N][M];
static int counts[N];

static void step(int from, int to)
{
#pragma acc parallel loop default(present)
    for (int i = from; i < to; i++) {
        for (int j = 1; j < M; j++)
            grid[i][j] += grid[i][j - 1] * 0.5;
        counts[i]++;
    }
}

// Without any clause the arrays would be copied.
static void another(int from, int to)
{
#pragma acc parallel loop
    for (int i = from; i < to; i++)
        for (int j = 0; j < M; j++)
            grid[i][j] -= counts[i];
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        counts[i] = i % 5;
        for (int j = 0; j < M; j++)
            grid[i][j] = (i * 7 + j * 3) % 11;
    }
    int h = N / 2;
#pragma acc enter data copyin(grid[0:h], counts[0:h])
#pragma acc enter data copyin(grid[h:h][0:M], counts[h:h])
    for (int part = 0; part < 2; part++) {
        step(part * h, part * h + h);
        another(part * h + 1, part * h + h - 1);
    }
#pragma acc exit data copyout(grid[0:h], counts[0:h])
#pragma acc exit data copyout(grid[h:h][0:M], counts[h:h])
#pragma acc data copy(grid[0:h])
#pragma acc data copy(grid[h:h])
    {
#pragma acc parallel loop
        for (int i = h; i < N; i++)
            grid[i][1] *= 3;
#pragma acc parallel loop
        for (int i = 0; i < h; i++)
            grid[i][2] *= 3;
    }
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            s = s * 0.9 + grid[i][j] * (j + 1) + counts[i];
    printf("%.12g\n", s);
    return 0;
}
