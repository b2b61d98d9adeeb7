// Sections are inferred where elements are accessed again in loops whose ends only the device knows, and do not depend on them.
// launches: 4
#include <stdio.h>
#include <stdlib.h>

long long n = 20;

int main(void)
{
    char *found = malloc(10), *a = malloc(10 * n);
    double *sum = malloc(10 * sizeof(double)), *scale = malloc(10 * sizeof(double));
    int *first = malloc(11 * sizeof(int));
    for (int i = 0; i < 10 * n; i++)
        a[i] = i % 3;
    for (int i = 0; i < 11; i++)
        first[i] = 2 * i;
    for (int i = 0; i < 10; i++)
        scale[i] = i;
#pragma acc data copy(a[0:10 * n])
    {
        // What `kernels` copies may be another number on the device.
#pragma acc kernels loop gang
        for (int x = 0; x < 10; x++) {
            found[x] = x % 2;
#pragma acc loop worker
            for (int y = 0; y < n; y++)
                if (found[x] == 1)
                    a[x * n + y] = 7;
        }
#pragma acc parallel loop
        for (int x = 0; x < 10; x++) {
            sum[x] = scale[x];
            for (int k = first[x]; k < first[x + 1]; k++)
                sum[x] += a[k] * scale[x];
        }
#pragma acc parallel loop
        for (int x = 0; x < 10; x++) {
            int step = a[x] + 1;
            sum[x] *= 2;
            for (int k = 0; k < 40; k += step)
                sum[x] += 1;
        }
#pragma acc parallel loop
        for (int x = 0; x < 10; x++) {
            double of = scale[x] + sum[x];
            for (int k = 0; k < 5 && sum[x] > 0; k++)
                scale[x] = of + k;
        }
    }
    for (int x = 0; x < 10; x++)
        printf("%d %g %g %d\n", found[x], sum[x], scale[x], a[x * n]);
    return 0;
}
