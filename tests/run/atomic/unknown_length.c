// Arrays of which nobody knows before the launch how long they are, updated atomically: short ones, ones much longer than a gang's copy
// of the first elements, places in front of where a pointer leads, rows, members, floating-point numbers.
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };

struct centre {
    double sum[3];
    int count;
};

static void histogram(int n, const int *key, int bins, int *bin)
{
#pragma acc parallel loop copyin(key[0 : n]) copy(bin[0 : bins])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        bin[key[i] % bins]++;
    }
}

static void around(int n, const int *key, int *middle)
{
#pragma acc parallel loop gang vector copyin(key[0 : n]) present(middle)
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        middle[key[i] % 101 - 50] += i % 3;
    }
}

static void clusters(size_t n, const int *nearest, const double *x, size_t k, double (*sums)[4], struct centre *centres)
{
#pragma acc parallel loop copyin(nearest[0 : n], x[0 : n]) copy(sums[0 : k], centres[0 : k])
    for (size_t i = 0; i < n; i++) {
        size_t c = (unsigned)nearest[i] % k;
        for (unsigned d = 0; d < 4; d++) {
#pragma acc atomic update
            sums[c][d] += x[i] * d;
        }
        for (unsigned d = 0; d < 3; d++) {
#pragma acc atomic update
            centres[c].sum[d] = centres[c].sum[d] + x[i];
        }
#pragma acc atomic update
        centres[c].count -= 1;
    }
}

static unsigned bits(long n, const int *key, long m, unsigned *set)
{
    unsigned all = 0;
#pragma acc kernels loop independent copyin(key[0 : n]) copy(set[0 : m])
    for (long i = 0; i < n; i++) {
        long at = (key[i] * 7919L) % m;
#pragma acc atomic update
        set[at] |= 1u << key[i] % 32;
    }
    for (long k = 0; k < m; k++)
        all = all * 31 + set[k];
    return all;
}

int main(void)
{
    static int key[N];
    static double x[N];
    for (int i = 0; i < N; i++) {
        key[i] = (int)((i * 2654435761u) >> 8);
        x[i] = key[i] % 64 * 0.5;
    }
    const int sizes[] = {1, 5, 256, 2048, 2049, 15000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int *bin = calloc(sizes[s], sizeof *bin);
        long sum = 0;
        histogram(N, key, sizes[s], bin);
        for (int b = 0; b < sizes[s]; b++)
            sum += (long)bin[b] * (b + 1);
        printf("%d: %ld, %d %d\n", sizes[s], sum, bin[0], bin[sizes[s] - 1]);
        free(bin);
    }
    int line[101] = {0};
#pragma acc data copy(line)
    around(N, key, line + 50);
    for (int k = 0; k < 101; k += 10)
        printf("%d ", line[k]);
    printf("\n");
    for (size_t k = 3; k < 4000; k *= 30) {
        double(*sums)[4] = calloc(k, sizeof *sums), all = 0;
        struct centre *centres = calloc(k, sizeof *centres);
        clusters(N, key, x, k, sums, centres);
        for (size_t c = 0; c < k; c++)
            all += sums[c][1] * (c % 5) + sums[c][3] + centres[c].sum[2] * (c % 7) + centres[c].count * (double)c;
        printf("%zu: %.1f\n", k, all);
        free(sums);
        free(centres);
    }
    unsigned set[3000] = {0};
    printf("%u\n", bits(N, key, 77, set));
    printf("%u\n", bits(N, key, 3000, set));
    return 0;
}
