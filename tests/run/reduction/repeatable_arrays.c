// Sums of arrays, structs and complex numbers of rounded values are the same bits in every run.
// expect-output: repeatable.expect
// launches: 20
#include <complex.h>
#include <stdio.h>
#include <string.h>

#define N 3000

struct sums {
    double bins[5];
    float low;
    double complex z;
    double rows;
};

static double v[N];

static struct sums run(void)
{
    struct sums s;
    memset(&s, 0, sizeof s);
    double rows = 0, bins[5] = {0};
#pragma acc parallel loop gang worker vector num_workers(3) copyin(v) reduction(+:s, bins)
    for (int i = 0; i < N; i++) {
        bins[i % 5] += v[i];
        s.low += (float)v[i];
        s.z += v[i] * (1 + I * v[i]);
    }
#pragma acc parallel loop gang copyin(v) reduction(+:rows)
    for (int r = 0; r < 30; r++) {
#pragma acc loop vector reduction(+:rows)
        for (int i = 0; i < 100; i++)
            rows += v[r * 100 + i];
    }
    memcpy(s.bins, bins, sizeof bins);
    s.rows = rows;
    return s;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        v[i] = 1.0 / (1 + i * 7 % 1013);
    struct sums first = run();
    int different = 0;
    for (int t = 0; t < 10; t++) {
        struct sums again = run();
        different += memcmp(again.bins, first.bins, sizeof first.bins) != 0 || again.low != first.low
                     || again.z != first.z || again.rows != first.rows;
    }
    printf("%d\n", different);
    return 0;
}
