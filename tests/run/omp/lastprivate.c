// `lastprivate`: the value of the last iteration is there behind the loop; of a loop's own variable the value behind it.
// cflags: -fopenmp
// launches: 6
#include <stdio.h>

#define N 100

struct pair { int a; double b; };

int main(void)
{
    int errors = 0, a[N], x = -1, i, j;
    double y = 0;
    #pragma omp target teams distribute parallel for lastprivate(x, y) map(tofrom: a)
    for (int k = 0; k < N; k++) {
        x = 3 * k;
        y = k / 2.0;
        a[k] = x;
    }
    errors += x != 297 || y != 49.5 || a[7] != 21;
    // Steps that do not meet the bound, loops that go down, unsigned counters.
    #pragma omp target parallel for lastprivate(x)
    for (int k = 1; k <= N; k += 7)
        x = k;
    errors += x != 99;
    #pragma omp target parallel for simd lastprivate(x)
    for (int k = N; k > 3; k -= 4)
        x = k;
    errors += x != 4;
    #pragma omp target teams distribute parallel for lastprivate(x) map(from: x)
    for (unsigned char k = 200; k < 250; k += 4)
        x = k;
    errors += x != 248;
    // Loop variables, and structs.
    struct pair pair = {0, 0};
    #pragma omp target teams distribute parallel for collapse(2) lastprivate(i, j, pair)
    for (i = 0; i < 10; i++)
        for (j = 0; j < 20; j += 3) {
            pair.a = i;
            pair.b = j;
        }
    errors += i != 10 || j != 21 || pair.a != 9 || pair.b != 18;
    // In a region that has the variable.
    int seen = 0;
    #pragma omp target parallel num_threads(8) map(tofrom: x, seen)
    {
        #pragma omp for lastprivate(x)
        for (int k = 0; k < 50; k++)
            x = k + 1000;
        #pragma omp single
        seen = x;
    }
    errors += seen != 1049 || x != 1049;
    printf("%d errors\n", errors);
    return errors;
}
