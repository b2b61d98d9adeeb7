// `lastprivate` on joined loops whose inner bounds depend on outer ones: the last rows may have no iteration.
// cflags: -fopenmp
// launches: 7
#include <stdio.h>

int main(void)
{
    int li = -1, lj = -1, lk = -1, n = 9;
    #pragma omp target teams distribute parallel for collapse(2) lastprivate(li, lj) map(tofrom: li, lj)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 7 - i; j++) {
            li = i;
            lj = j;
        }
    printf("%d %d\n", li, lj);
    #pragma omp target parallel for collapse(2) lastprivate(li, lj) map(tofrom: li, lj)
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            li = i;
            if (j == 5)
                continue;
            lj = j;
        }
    printf("%d %d\n", li, lj);
    #pragma omp target simd collapse(2) lastprivate(li, lj) map(tofrom: li, lj)
    for (unsigned i = 0; i < 20; i += 3)
        for (unsigned j = i; j < 5; j++) {
            li = i;
            lj = j;
        }
    printf("%d %d\n", li, lj);
    // Three loops, of which the second, and both of the inner ones, depend on others.
    #pragma omp target map(tofrom: li, lj, lk)
    #pragma omp parallel for collapse(3) lastprivate(li, lj, lk)
    for (long i = 12; i > 0; i--)
        for (long j = 2 * i; j < 10; j++)
            for (long k = j; k > j - 3; k--) {
                li = i;
                lj = j;
                lk = k;
            }
    printf("%d %d %d\n", li, lj, lk);
    #pragma omp target teams distribute parallel for collapse(3) lastprivate(li, lj, lk) map(tofrom: li, lj, lk)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            for (int k = j; k < 3; k++) {
                li = i;
                lj = j;
                lk = k;
            }
    printf("%d %d %d\n", li, lj, lk);
    // An array and a struct.
    int a[3] = {0};
    struct {
        int row;
        double at;
    } s = {0, 0};
    #pragma omp target teams distribute parallel for collapse(2) lastprivate(a, s) map(tofrom: a, s)
    for (int i = 0; i < n; i++)
        for (int j = i; j != 8; j++) {
            a[j % 3] = i;
            a[(j + 1) % 3] = a[(j + 2) % 3] = j;
            s.row = i;
            s.at = j * 0.5;
        }
    printf("%d %d %d %d %g\n", a[0], a[1], a[2], s.row, s.at);
    #pragma omp target teams distribute collapse(2) lastprivate(li) map(tofrom: li)
    for (int i = 0; i < n; i++)
        for (int j = 30 - 5 * i; j < 10 - i; j += 2)
            li = i * 100 + j;
    printf("%d\n", li);
    return 0;
}
