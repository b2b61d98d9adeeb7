// Gangs of two dimensions in a nest that cores would run in tiles, and arrays of such gangs that loops without levels fill.
// launches: 5
#include <stdio.h>

enum { N = 37, M = 20 };

static int a[N][N], b[N][N], c[N][M], d[M];

static long sum(void)
{
    long all = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            all = all * 31 % 1000003 + b[i][j];
        for (int j = 0; j < M; j++)
            all = all * 31 % 1000003 + c[i][j];
    }
    for (int j = 0; j < M; j++)
        all = all * 31 % 1000003 + d[j];
    return all;
}

int main(void)
{
    for (int i = 0; i < N * N; i++)
        a[i / N][i % N] = i;
#pragma acc parallel num_gangs(3, 2) copyin(a) copy(b)
    {
#pragma acc loop gang(dim:2)
        for (int i = 0; i < N; i++)
#pragma acc loop gang(dim:1) vector
            for (int j = 0; j < N; j++)
                b[i][j] += a[j][i];
    }
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(1, 2, 3) copyin(a) copy(b)
    {
#pragma acc loop gang(dim:3)
        for (int i = 0; i < N; i++)
#pragma acc loop gang(dim:2) vector
            for (int j = 0; j < N; j++)
                b[i][j] += 3 * a[j][i];
    }
    printf("%ld\n", sum());
    // Each gang of dimension 1 has an array of its own, all of which it reads.
#pragma acc parallel loop gang(dim:2) num_gangs(4, 3) copy(c)
    for (int i = 0; i < N; i++) {
        int own[4];
        for (int q = 0; q < 4; q++)
            own[q] = q * i;
#pragma acc loop gang(dim:1)
        for (int j = 0; j < M; j++)
            c[i][j] += j + own[j & 3];
    }
    printf("%ld\n", sum());
    // So has each gang outside of all loops over gangs.
    int own[4];
#pragma acc parallel num_gangs(4) private(own) copy(d)
    {
#pragma acc loop
        for (int q = 0; q < 4; q++)
            own[q] = q * 3;
#pragma acc loop gang
        for (int j = 0; j < M; j++)
            d[j] += j + own[j & 3];
    }
    printf("%ld\n", sum());
#pragma acc parallel num_gangs(4) copy(d)
    {
        struct { int x[5]; } all;
        int *x = all.x;
#pragma acc loop
        for (int q = 0; q < 5; q++)
            all.x[q] = q * q;
#pragma acc loop gang vector
        for (int j = 0; j < M; j++)
            d[j] += x[j % 5];
    }
    printf("%ld\n", sum());
    return 0;
}
