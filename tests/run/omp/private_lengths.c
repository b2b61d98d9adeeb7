// Variable-length arrays that threads and teams have as their own.
// cflags: -fopenmp
// launches: 6
#include <stdio.h>

static long sum(const int *out)
{
    long found = 0;
    for (int i = 0; i < 32; i++)
        found += out[i] * (i + 1);
    return found;
}

static void all(int n, int m)
{
    int t[n], grid[m][3], out[32];
    for (int i = 0; i < n; i++)
        t[i] = 7;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 3; j++)
            grid[i][j] = i * 3 + j;
#pragma omp target map(from: out)
#pragma omp parallel num_threads(4) private(t)
    {
        for (int i = 0; i < n; i++)
            t[i] = i;
#pragma omp for
        for (int i = 0; i < 32; i++)
            out[i] = t[i % n];
    }
    printf("%ld\n", sum(out));
#pragma omp target teams distribute parallel for firstprivate(t) map(from: out)
    for (int i = 0; i < 32; i++) {
        t[i % n] = t[(i + 1) % n] + i;
        out[i] = t[i % n];
        t[i % n] = 7;
    }
    printf("%ld\n", sum(out));
#pragma omp target teams num_teams(2) private(t) map(from: out)
    {
        for (int i = 0; i < n; i++)
            t[i] = 2 * i;
#pragma omp distribute
        for (int i = 0; i < 32; i++)
            out[i] = t[i % n];
    }
    printf("%ld\n", sum(out));
#pragma omp target parallel num_threads(4) firstprivate(t) map(from: out)
    {
        t[0] = 1;
#pragma omp for
        for (int i = 0; i < 32; i++)
            out[i] = t[i % n];
    }
    printf("%ld\n", sum(out));
#pragma omp target teams firstprivate(grid) map(from: out)
    {
        grid[m - 1][2] += 100;
#pragma omp distribute parallel for
        for (int i = 0; i < 32; i++)
            out[i] = grid[i % m][i % 3];
    }
    printf("%ld %d\n", sum(out), grid[m - 1][2]);
#pragma omp target map(from: out)
#pragma omp teams distribute private(grid)
    for (int i = 0; i < 32; i++) {
        for (int k = 0; k < m; k++)
            grid[k][i % 3] = k * i;
        out[i] = grid[i % m][i % 3] + (int)(sizeof grid / sizeof grid[0]);
    }
    printf("%ld\n", sum(out));
}

int main(void)
{
    all(5, 4);
    all(32, 7);
    return 0;
}
