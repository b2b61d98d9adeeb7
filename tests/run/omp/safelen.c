// Iterations of a simd loop that depend on each other: no more than `safelen` of them run at a time.
// cflags: -fopenmp
// launches: 3
#include <stdio.h>

enum { N = 1000 };
static float d[N];
static signed char c[N];
static int e[4][64];

int main(void)
{
    for (int i = 0; i < N; i++) {
        d[i] = (float)(i % 7);
        c[i] = (signed char)(i % 5);
    }
#pragma omp target map(tofrom : d, c)
    {
#pragma omp simd safelen(4)
        for (int i = 4; i < N; i++)
            d[i] = d[i - 4] + 1;
#pragma omp simd safelen(8) simdlen(4)
        for (int i = 8; i < N; i++)
            c[i] = (signed char)(c[i - 8] ^ 3);
    }
    double sum = 0;
    int bits = 0;
    for (int i = 0; i < N; i++) {
        sum += d[i] * i;
        bits += c[i] * i;
    }
    printf("%.0f %d\n", sum, bits);
#pragma omp target teams distribute parallel for map(tofrom : e)
    for (int r = 0; r < 4; r++) {
        for (int i = 0; i < 64; i++)
            e[r][i] = i % 3;
#pragma omp simd safelen(2)
        for (int i = 2; i < 64; i++)
            e[r][i] += e[r][i - 2] * (r + 1) % 101;
    }
    for (int r = 0; r < 4; r++)
        printf("%d\n", e[r][63] + e[r][40]);
    // Threads take chunks of eight, in each of which the upper half needs the lower one.
#pragma omp target parallel for simd schedule(static, 8) safelen(4) map(tofrom : d)
    for (int i = 0; i < 1000; i++)
        d[i] = i % 8 < 4 ? (float)i : d[i - 4] * 2;
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += d[i] * (i % 11);
    printf("%.0f\n", sum);
    return 0;
}
