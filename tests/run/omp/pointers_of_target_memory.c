// A pointer without a section in a map clause is the pointer itself (OpenMP 5.2, 5.8.3), whatever the region accesses through it: here memory
// of the device that the host does not have.
// cflags: -fopenmp
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int device = omp_get_default_device(), host = omp_get_initial_device(), values[64];
    for (int i = 0; i < 64; i++)
        values[i] = i;
    int *p = omp_target_alloc(sizeof values, device);
    omp_target_memcpy(p, values, sizeof values, 0, 0, device, host);
#pragma omp target teams distribute parallel for map(to: p)
    for (int i = 8; i < 56; i++)
        p[i] += 10;
#pragma omp target teams distribute parallel for map(tofrom: p)
    for (int i = 0; i < 64; i++)
        p[i] *= 2;
#pragma omp target map(always, to: p)
    p[50] += 1000;
    omp_target_memcpy(values, p, sizeof values, 0, 0, host, device);
    omp_target_free(p, device);
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += values[i] * (i % 7 + 1);
    printf("%d %d\n", sum, values[50]);
    return 0;
}
