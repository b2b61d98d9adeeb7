// Loops over lanes that are known to be short: blocks have no more lanes than iterations, in whole warps.
#include <stdio.h>

enum { N = 100, B = 8 };

// The largest of several loops counts; what a gang has for itself passes from one to the next.
static void twice(int n, const float *a, float *out)
{
#pragma acc parallel loop gang copyin(a[0:n * B * B]) copyout(out[0:n * B * B])
    for (int i = 0; i < n; i++) {
        float half[B][B], sums[40];
#pragma acc loop vector collapse(2)
        for (int y = 0; y < B; y++)
            for (int x = 0; x < B; x++)
                half[y][x] = a[(i * B + y) * B + x] * (y + 1);
#pragma acc loop vector
        for (int k = 0; k < 40; k++)
            sums[k] = half[k % B][k / B] + k;
#pragma acc loop vector collapse(2)
        for (int y = 0; y < B; y++)
            for (int x = 0; x < B; x++)
                out[(i * B + y) * B + x] = half[x][y] + sums[(x * 5 + y) % 40];
    }
}

// One warp, with a reduction; another loop that the clause makes long.
static float reduced(int n, const float *a, int *counts)
{
    float all = 0;
#pragma acc parallel loop gang copyin(a[0:n * B * B]) copyout(counts[0:n]) reduction(max : all)
    for (int i = 0; i < n; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k < 20; k++)
            sum += a[i * B * B + k];
        counts[i] = (int)sum;
        all = sum > all ? sum : all;
    }
#pragma acc parallel loop gang copy(counts[0:n]) vector_length(256)
    for (int i = 0; i < n; i++) {
        int count = 0;
#pragma acc loop vector reduction(+ : count)
        for (int k = 0; k < 50; k++)
            count += k % 3;
        counts[i] += count;
    }
    return all;
}

#pragma acc routine vector
static void fill(int *row, int n, int value)
{
#pragma acc loop vector
    for (int k = 0; k < n; k++)
        row[k] += value + k;
}

// A function has loops of its own, which may be longer.
static void called(int n, int *table)
{
#pragma acc parallel loop gang copy(table[0:n * 300])
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int k = 0; k < 16; k++)
            table[i * 300 + k] = k;
        fill(table + i * 300, 300, i);
    }
}

int main(void)
{
    static float a[N * B * B], out[N * B * B];
    static int counts[N], table[N * 300];
    for (int k = 0; k < N * B * B; k++)
        a[k] = k % 13;
    twice(N, a, out);
    float all = reduced(N, a, counts);
    called(N, table);
    double sum = 0, total = 0;
    for (int k = 0; k < N * B * B; k++)
        sum += out[k] * (k % 17);
    for (int k = 0; k < N * 300; k++)
        total += table[k] * (k % 11);
    printf("%g %g %d %d %g\n", sum, all, counts[0], counts[N - 1], total);
    return 0;
}
