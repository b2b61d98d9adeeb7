// Conditions of loops in which threads meet: what they change besides is changed once, behind other statements of the threads.
// cflags: -fopenmp
// expect-output: team_conditions.expect
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 3, a[4] = {0}, b[4] = {0}, c[4] = {0}, d[4] = {0}, e[4] = {0}, limits[4] = {1, 1, 0, 1};
#pragma omp target parallel num_threads(4) map(tofrom : a, b, c, d, e) map(to : limits)
    {
        int t = omp_get_thread_num(), i = 0;
        for (;;) {
#pragma omp barrier
            a[t] += 5;
            if (++i >= n)
                break;
        }
#pragma omp barrier
        i = 0;
        for (;;) {
            b[t] += a[(t + 1) % 4];
#pragma omp barrier
            int z = i++;
            b[t]++;
            if (z >= n)
                break;
        }
        int z = 0;
        while (z < n) {
            c[t]++;
#pragma omp barrier
            c[t] += 10;
            z = ++i - 4;
        }
        const int *q = limits;
        for (;;) {
            d[t] += 3;
#pragma omp barrier
            d[t]++;
            if (!*q++)
                break;
        }
        i = 10;
        do {
            e[t]++;
#pragma omp barrier
            switch (i--) {
            case 8:
                e[t] += 100;
                break;
            default:
                e[t] += 10;
            }
#pragma omp barrier
            e[t] += i;
        } while (i > 6);
    }
    for (int t = 0; t < 4; t++)
        printf("%d %d %d %d %d\n", a[t], b[t], c[t], d[t], e[t]);
    return 0;
}
