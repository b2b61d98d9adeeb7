/* One region with a launch shape, for shapes.py: GANGS, WORKERS and LANES are expressions of g, w, v, or nothing.
 *
 *     shapes G W V N         prints right results, or which is wrong */
#include <stdio.h>
#include <stdlib.h>

#ifndef TYPE
#define TYPE int
#endif

int main(int argc, char **argv)
{
    TYPE g = (TYPE)atoll(argv[1]), w = (TYPE)atoll(argv[2]), v = (TYPE)atoll(argv[3]);
    int n = atoi(argv[4]);
    int *a = malloc((n + 1) * sizeof *a);
    long sum = 0, largest = -1, inner = 0;
    (void)argc, (void)g, (void)w, (void)v;
    for (int i = 0; i < n; i++)
        a[i] = -1;
#if KIND == 0
#pragma acc parallel loop gang worker vector reduction(+ : sum) reduction(max : largest) copy(a[0:n]) SHAPE
    for (int i = 0; i < n; i++) {
        a[i] = i;
        sum += i;
        largest = i > largest ? i : largest;
    }
    inner = sum;
#elif KIND == 1
#pragma acc parallel reduction(+ : sum) copy(a[0:n]) SHAPE
    {
#pragma acc loop gang reduction(+ : sum)
        for (int i = 0; i < n; i += 10) {
            int most = i + 10 < n ? i + 10 : n;
#pragma acc loop worker vector reduction(+ : sum)
            for (int j = i; j < most; j++) {
                a[j] = j;
                sum += j;
            }
        }
    }
    inner = sum, largest = n - 1;
#elif KIND == 2
#pragma acc kernels loop gang reduction(+ : sum, inner) copy(a[0:n]) SHAPE
    for (int i = 0; i < n; i += 10) {
        int most = i + 10 < n ? i + 10 : n, part = 0;
#pragma acc loop vector reduction(+ : part)
        for (int j = i; j < most; j++) {
            a[j] = j;
            part += j;
        }
        sum += part;
        inner += part;
    }
    largest = n - 1;
#else
#pragma acc parallel copy(a[0:n]) SHAPE
    {
#pragma acc loop gang worker
        for (int i = 0; i < n; i++)
            a[i] = i;
    }
    for (int i = 0; i < n; i++)
        sum += a[i];
    inner = sum, largest = n - 1;
#endif
    long want = (long)n * (n - 1) / 2;
    for (int i = 0; i < n; i++)
        if (a[i] != i) {
            printf("a[%d] is %d\n", i, a[i]);
            return 2;
        }
    if (sum != want || inner != want || largest != n - 1) {
        printf("sum %ld, inner %ld, wanted %ld; largest %ld\n", sum, inner, want, largest);
        return 2;
    }
    puts("right");
    return 0;
}
