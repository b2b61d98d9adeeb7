// Mapped arrays that a region reaches by pointers, whose lengths it does not know, updated atomically.
// cflags: -fopenmp
// launches: 6
#include <stdio.h>
#include <stdlib.h>

static void histogram(int n, const int *key, int bins, int *bin)
{
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic update
        bin[key[i] % bins]++;
    }
}

static void sums(long n, const int *key, double *sum, long m)
{
#pragma omp target teams distribute parallel for simd map(tofrom : sum[0 : m])
    for (long i = 0; i < n; i++) {
#pragma omp atomic
        sum[key[i] % m] += key[i] % 8 * 0.25;
    }
}

int main(void)
{
    enum { N = 10000 };
    static int key[N];
    for (int i = 0; i < N; i++)
        key[i] = (int)((i * 2654435761u) >> 8);
#pragma omp target enter data map(to : key)
    for (int bins = 3; bins < 9000; bins *= 20) {
        int *bin = calloc(bins, sizeof *bin);
        double *sum = calloc(bins, sizeof *sum), all = 0;
        long counted = 0;
#pragma omp target enter data map(to : bin[0 : bins])
        histogram(N, key, bins, bin);
        sums(N, key, sum, bins);
#pragma omp target exit data map(from : bin[0 : bins])
        for (int b = 0; b < bins; b++) {
            counted += (long)bin[b] * (b + 1);
            all += sum[b] * (b % 9);
        }
        printf("%d: %ld %.2f\n", bins, counted, all);
        free(bin);
        free(sum);
    }
#pragma omp target exit data map(release : key)
    return 0;
}
