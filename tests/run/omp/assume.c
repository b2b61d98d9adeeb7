// What is assumed changes nothing.
// cflags: -fopenmp
// expect-output: assume.expect
// launches: 1
#include <stdio.h>

#pragma omp begin assumes no_openmp_routines contains(target, parallel), holds(sizeof(int) == (4))
static int twice(int x);
#pragma omp end assumes
#pragma omp assumes no_parallelism

static int twice(int x) { return 2 * x; }

int main(void) {
    int a[100], sum = 0;
    #pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < 100; i++) {
        #pragma omp assume no_openmp holds(i >= 0)
        {
            a[i] = twice(i);
        }
    }
    #pragma omp assume absent(simd)
    for (int i = 0; i < 100; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
