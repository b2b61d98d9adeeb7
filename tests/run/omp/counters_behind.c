// What the variables of loops hold behind `simd` and `loop` constructs, which no clause names.
// cflags: -fopenmp
// expect-output: counters_behind.expect
#include <stdio.h>

#pragma omp declare target
static double dot(const double *a, const double *b, int n)
{
    double s = 0;
    int i;
#pragma omp simd reduction(+: s)
    for (i = 0; i < n - n % 4; i++) s += a[i] * b[i];
    for (; i < n; i++) s += 1000 * a[i] * b[i];
    return s;
}

static int ends(int from, int to, int step, int *down, long *including)
{
    int i, d;
    long l;
    unsigned char c = 7;
    int a[64];
#pragma omp simd
    for (i = from; i < to; i += step) a[i] = i;
#pragma omp simd
    for (d = to; d > from; d -= step) a[d] = 1;
#pragma omp loop bind(thread)
    for (l = from; l <= to; l += step) a[l] = 2;
#pragma omp simd
    for (c = 3; c < 11; c += 3) a[c] = 3;
    *down = d;
    *including = l;
    return i * 100 + c;
}
#pragma omp end declare target

enum { n = 11 };

int main(void)
{
    double a[n], b[n], r[3];
    int k = -1, j = -1, i = -1, down[3], e[3], p = -1, q = -1;
    long including[3];
    for (int i = 0; i < n; i++) a[i] = i, b[i] = n - i;
#pragma omp target map(from: r)
    {
        r[0] = dot(a, b, n);
        r[1] = dot(a, b, 8);
        r[2] = dot(a, b, 3);
    }
    printf("%g %g %g\n", r[0], r[1], r[2]);
#pragma omp target map(from: e, down, including)
    {
        e[0] = ends(5, 33, 4, &down[0], &including[0]);
        e[1] = ends(5, 34, 1, &down[1], &including[1]);
        e[2] = ends(9, 4, 3, &down[2], &including[2]);
    }
    for (int i = 0; i < 3; i++) printf("%d %d %ld\n", e[i], down[i], including[i]);
    int grid[8][8];
#pragma omp target map(tofrom: k, j) map(from: grid)
#pragma omp simd collapse(2)
    for (k = 0; k < 8; k++)
        for (j = 0; j < 8; j += 2) grid[k][j] = k;
    printf("%d %d\n", k, j);
#pragma omp target simd map(tofrom: i)
    for (i = 5; i < 33; i += 4) a[i % n] = i;
    printf("%d\n", i);
#pragma omp target parallel map(tofrom: p) map(from: grid)
#pragma omp loop bind(parallel)
    for (p = 1; p < 8; p += 2) grid[p][0] = p;
    printf("%d\n", p);
#pragma omp target teams distribute parallel for simd map(tofrom: q) map(from: grid)
    for (q = 0; q < 8; q++) grid[q][1] = q;
    printf("%d\n", q);
    return 0;
}
