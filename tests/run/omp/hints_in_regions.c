// Directives in regions that say where variables are, or nothing.
// cflags: -fopenmp
// expect-output: hints_in_regions.expect
// launches: 1
#include <omp.h>
#include <stdio.h>

static int twice(int x) {
    int local = x;
    #pragma omp allocate(local)
    #pragma omp nothing
    return 2 * local;
}

int main(void) {
    int a[16], sum = 0;
    #pragma omp allocate(a, sum) allocator(omp_default_mem_alloc)
    #pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < 16; i++) {
        int row[2];
        #pragma omp allocate(row) allocator(omp_thread_mem_alloc)
        row[i % 2] = twice(i);
        a[i] = row[i % 2];
    }
    for (int i = 0; i < 16; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
