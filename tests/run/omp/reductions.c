// Reductions and variables of their own on OpenMP's combined construct: operators and types, several at once, collapsed loops, arrays,
// private arrays, firstprivate variables that iterations change.
// cflags: -fopenmp
// launches: 8
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#define N 3000

int main(void) {
    double x[N];
    int m[60][50];
    for (int i = 0; i < N; i++)
        x[i] = (i * 37 % 101) - 50;
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 50; j++)
            m[i][j] = i * j % 23 - 11;

    double sum = 1.5;
    #pragma omp target teams distribute parallel for reduction(+: sum) map(to: x)
    for (int i = 0; i < N; i++)
        sum += x[i];
    printf("sum %.3f\n", sum);

    double largest = -1e30, smallest = 1e30;
    long count = 0;
    #pragma omp target teams distribute parallel for simd reduction(max: largest) \
        reduction(min: smallest) reduction(+: count) map(to: x[0:N])
    for (int i = 0; i < N; i++) {
        if (x[i] > largest)
            largest = x[i];
        smallest = x[i] < smallest ? x[i] : smallest;
        count += x[i] > 0;
    }
    printf("extremes %.1f %.1f %ld\n", largest, smallest, count);

    int total = 0;
    unsigned bits = 0;
    bool all = true;
    #pragma omp target teams distribute parallel for collapse(2) reduction(+: total) reduction(|: bits) reduction(&&: all)
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 50; j++) {
            total += m[i][j];
            bits |= 1u << (m[i][j] + 11);
            all = all && m[i][j] < 12;
        }
    printf("collapsed %d %x %d\n", total, bits, all);

    // The order of clauses, and - as an operator, which adds.
    float difference = 10;
    #pragma omp target teams distribute parallel for map(tofrom: difference) reduction(-: difference)
    for (int i = 0; i < 100; i++)
        difference -= i;
    printf("difference %.1f\n", difference);

    int bins[8] = {0};
    #pragma omp target teams distribute parallel for reduction(+: bins)
    for (int i = 0; i < N; i++)
        bins[i * 7 % 8]++;
    for (int i = 0; i < 8; i++)
        printf("%d ", bins[i]);
    printf("\n");

    // private: declared outside, an array and a scalar, untouched behind the region.
    int scratch[4] = {1, 2, 3, 4}, temporary = 77;
    long checks = 0;
    #pragma omp target teams distribute parallel for private(scratch, temporary) reduction(+: checks)
    for (int i = 0; i < 500; i++) {
        temporary = i % 5;
        for (int k = 0; k < 4; k++)
            scratch[k] = temporary + k;
        for (int k = 0; k < 4; k++)
            checks += scratch[k];
    }
    printf("private %ld %d %d\n", checks, temporary, scratch[3]);

    // firstprivate: each iteration starts with the value outside.
    int start = 100, parts[3] = {1, 2, 3};
    int out[200];
    #pragma omp target teams distribute parallel for firstprivate(start, parts) map(from: out)
    for (int i = 0; i < 200; i++)
        out[i] = start + parts[i % 3];
    long outs = 0;
    for (int i = 0; i < 200; i++)
        outs += out[i] * (i + 1);
    printf("firstprivate %ld %d\n", outs, start);

    // A sum of complex products in a loop that counts down.
    double re = 0, im = 0;
    #pragma omp target teams distribute parallel for reduction(+: re, im) map(to: x)
    for (int i = N - 2; i > 0; i -= 2) {
        re += x[i] * x[i - 1];
        im += x[i] - x[i + 1];
    }
    printf("complex %.3f %.3f\n", re, im);
    return 0;
}
