// Directives in regions that say where variables are, or nothing.
// cflags: -fopenmp
// expect-output: hints_in_regions.expect
// launches: 1
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int twice(int x) {
    int local = x;
    #pragma omp allocate(local)
    #pragma omp nothing
    return 2 * local;
}

static char table[3] = {1, 2, 3};
#pragma omp allocate(table) align(256)

static int is_aligned(void) {
    char first, second[3] = "ab", *third = second;
    #pragma omp allocate(second, third) align(128) allocator(omp_large_cap_mem_alloc)
    first = second[0] == 'a';
    return first && (uintptr_t)second % 128 == 0 && (uintptr_t)&third % 128 == 0 && (uintptr_t)table % 256 == 0;
}

int main(void) {
    int a[16], sum = is_aligned() - 1;
    #pragma omp allocate(a, sum) allocator(omp_default_mem_alloc)
    #pragma omp target teams distribute parallel for map(from: a)
    for (int i = 0; i < 16; i++) {
        int row[2];
        #pragma omp allocate(row) align(64) allocator(omp_thread_mem_alloc)
        row[i % 2] = twice(i);
        a[i] = row[i % 2];
    }
    for (int i = 0; i < 16; i++)
        sum += a[i];
    printf("%d\n", sum);
    return 0;
}
