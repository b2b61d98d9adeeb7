// Loops that `collapse` names and whose bounds depend on each other; schedules in regions that ask for threads; `delete` beside others.
// cflags: -fopenmp
// launches: 5
#include <omp.h>
#include <stdio.h>

#define N 40
static int a[N][N], b[N][N][N];

int main(void)
{
    int errors = 0, i, j;
    // The inner variable is each iteration's own, wherever it is declared.
    #pragma omp target teams distribute parallel for collapse(2) map(tofrom: a)
    for (i = 0; i < N; i++)
        for (j = i; j < N; j++)
            a[i][j] = i * 100 + j;
    for (int x = 0; x < N; x++)
        for (int y = 0; y < N; y++)
            errors += a[x][y] != (y < x ? 0 : x * 100 + y);
    long sum = 0;
    #pragma omp target teams distribute parallel for collapse(2) reduction(+: sum) map(tofrom: a)
    for (int x = 1; x < N; x++)
        for (int y = 0; y < x; y++) {
            a[x][y] = 1;
            sum += y;
        }
    long expected = 0;
    for (int x = 1; x < N; x++)
        for (int y = 0; y < x; y++) {
            errors += a[x][y] != 1;
            expected += y;
        }
    errors += sum != expected;
    // Two that can be joined, and one that cannot.
    #pragma omp target parallel for collapse(3) map(tofrom: b)
    for (int x = 0; x < N; x++)
        for (int y = 0; y < N; y++)
            for (int z = y; z < N; z++)
                b[x][y][z] = x + y + z;
    for (int x = 0; x < N; x++)
        for (int y = 0; y < N; y++)
            for (int z = 0; z < N; z++)
                errors += b[x][y][z] != (z < y ? 0 : x + y + z);
    // Who runs an iteration is nobody's choice but the library's.
    int seen[N] = {0}, threads = 0;
    #pragma omp target parallel num_threads(4) map(tofrom: seen, threads)
    {
        if (omp_get_thread_num() == 0)
            threads = omp_get_num_threads();
        #pragma omp for schedule(dynamic)
        for (int x = 0; x < N; x++)
            seen[x] += 1 + omp_get_thread_num();
        #pragma omp for schedule(static, 1)
        for (int x = 0; x < N; x++)
            seen[x] += 100 * omp_get_thread_num();
    }
    for (int x = 0; x < N; x++)
        errors += threads > 1 ? seen[x] / 100 != x % threads || seen[x] % 100 > threads : 0;
    // What `delete` names is gone, whatever the counters say; the others have one reference less.
    int c[8], d[8], e[8];
    for (int x = 0; x < 8; x++)
        c[x] = d[x] = e[x] = x;
    int device = omp_get_default_device(), there = omp_get_num_devices() > 0;
    #pragma omp target enter data map(to: c, d, e)
    #pragma omp target enter data map(to: c, d)
    #pragma omp target map(tofrom: c, d, e)
    for (int x = 0; x < 8; x++)
        c[x]++, d[x]++, e[x]++;
    #pragma omp target exit data map(delete: c) map(release: d) map(from: e)
    if (there) {
        errors += omp_target_is_present(c, device) || !omp_target_is_present(d, device);
        errors += omp_target_is_present(e, device) || c[3] != 3 || d[3] != 3;
    }
    errors += e[3] != 4;
    #pragma omp target exit data map(from: d)
    errors += d[7] != 8 || (there && omp_target_is_present(d, device));
    printf("%d errors\n", errors);
    return errors;
}
