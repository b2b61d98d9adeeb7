// OpenMP's routines for memory in regions: aligned, zeroed, grown, freed, from several threads and in functions; allocators in clauses.
// cflags: -fopenmp
// expect-output: allocators.expect
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#define N 100

static long sum_of_squares(int n)
{
    long *squares = omp_alloc(n * sizeof *squares, omp_default_mem_alloc), s = 0;
    if (!squares)
        return -1;
    for (int i = 0; i < n; i++)
        squares[i] = (long)i * i;
    for (int i = 0; i < n; i++)
        s += squares[i];
    omp_free(squares, omp_default_mem_alloc);
    return s;
}
#pragma omp declare target(sum_of_squares)

int main(void)
{
    int errors = 0, x = 3;
    long sums[N];
    #pragma omp target map(tofrom: errors) uses_allocators(omp_default_mem_alloc)
    {
        int *a = omp_alloc(N * sizeof *a, omp_default_mem_alloc);
        int *b = omp_calloc(N, sizeof *b, omp_null_allocator);
        double *c = (double *)omp_aligned_alloc(64, N * sizeof *c, omp_default_mem_alloc);
        short *d = omp_aligned_calloc(256, N, sizeof *d, omp_default_mem_alloc);
        errors += !a || !b || !c || !d;
        errors += (uintptr_t)c % 64 != 0 || (uintptr_t)d % 256 != 0;
        for (int i = 0; i < N; i++) {
            a[i] = i;
            c[i] = 0.5 * i;
            errors += b[i] != 0 || d[i] != 0;
        }
        a = omp_realloc(a, 2 * N * sizeof *a, omp_default_mem_alloc, omp_default_mem_alloc);
        for (int i = 0; i < N; i++)
            errors += a[i] != i || c[i] != 0.5 * i;
        a[2 * N - 1] = 1;
        omp_free(a, omp_default_mem_alloc);
        omp_free(b, omp_null_allocator);
        omp_free(c, omp_default_mem_alloc);
        omp_free(d, omp_default_mem_alloc);
        omp_free(NULL, omp_default_mem_alloc);
    }
    #pragma omp target teams distribute parallel for map(from: sums) allocate(omp_default_mem_alloc: x) firstprivate(x) \
        uses_allocators(omp_default_mem_alloc)
    for (int i = 0; i < N; i++) {
        x += i;
        sums[i] = sum_of_squares(i) + x - i;
    }
    for (int i = 0; i < N; i++)
        errors += sums[i] != sum_of_squares(i) + 3;
    printf("%d errors\n", errors);
    return errors;
}
