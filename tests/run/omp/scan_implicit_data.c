// An inscan reduction beside arrays that no clause names, which cores and GPUs come to in different phases.
// cflags: -fopenmp
// expect-output: scan_implicit_data.expect
// launches: 2
#include <stdio.h>

enum { N = 1000 };
static int a[N], b[N], start[N + 1];

int main(void)
{
    int n = N, run = 0;
    for (int i = 0; i < n; i++)
        a[i] = i % 7;
#pragma omp target parallel for reduction(inscan, + : run) map(tofrom : b, run)
    for (int i = 0; i < n; i++) {
        run += a[i];
#pragma omp scan inclusive(run)
        b[i] = run;
    }
    long sum = run;
    for (int i = 0; i < n; i++)
        sum += (long)b[i] * i;
    printf("%ld\n", sum);
    int before = 0;
#pragma omp target parallel for reduction(inscan, + : before) map(from : start)
    for (int i = 0; i < n; i++) {
        start[i] = before;
#pragma omp scan exclusive(before)
        before += a[n - 1 - i] + 1;
    }
    sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long)start[i] * (i % 13);
    printf("%ld\n", sum);
    return 0;
}
