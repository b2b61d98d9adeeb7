// Arrays that are only updated atomically in three spellings, and why others get no copy.
// launches: 4
#include <stdlib.h>

enum { BINS = 8, WIDTH = 4 };

struct table {
    int count[BINS];
    double sum[BINS][WIDTH];
};

#pragma acc routine seq
static void add(double *p, double x)
{
#pragma acc atomic
    *p += x;
}

int main(void)
{
    int n = 4000, bins = 8, *key = malloc(n * sizeof *key), *some = calloc(bins, sizeof *some);
    int *large = calloc(n * 2, sizeof *large), next[2] = {0};
    double *flat = calloc(BINS * WIDTH, sizeof *flat), (*rows)[WIDTH] = calloc(BINS, sizeof *rows);
    struct table t = {{0}};
    for (int i = 0; i < n; i++)
        key[i] = i % BINS;
#pragma acc data copyin(key[0:n])
    {
#pragma acc parallel loop copy(flat[0:BINS * WIDTH])
        for (int i = 0; i < n; i++)
            for (int d = 0; d < WIDTH; d++) {
#pragma acc atomic update
                flat[key[i] * WIDTH + d] += d;
            }
#pragma acc parallel loop copy(rows[0:BINS][0:WIDTH])
        for (size_t i = 0; i < (size_t)n; i++)
            for (size_t d = 0; d < WIDTH; d++)
                add(&rows[key[i]][d], d);
#pragma acc parallel loop gang copy(t)
        for (int k = 0; k < 4; k++)
#pragma acc loop vector
            for (int i = k * 1000; i < (k + 1) * 1000; i++) {
#pragma acc atomic
                t.count[key[i]]++;
#pragma acc atomic
                t.sum[key[i]][i % WIDTH] -= 1;
            }
#pragma acc parallel loop copy(some[0:bins], large[0:8000], next)
        for (int i = 0; i < n; i++) {
            int mine;
#pragma acc atomic capture
            mine = next[i % 2]++;
#pragma acc atomic
            some[key[i]] += mine > 0;
#pragma acc atomic
            large[key[i] * 900]++;
        }
    }
    return flat[1] != 500 || rows[1][1] != 500 || t.count[2] != 500 || t.sum[2][2] != -500 || some[3] != 500 || large[900] != 500;
}
