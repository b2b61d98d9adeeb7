// Reduction into a global variable, over data behind a pointer.
// launches: 2
#include <stdio.h>
#include <stdlib.h>

long total = 1;
static double peak;

static void scan(int n, const double *v)
{
#pragma acc parallel loop copyin(v[0:n]) reduction(+:total) reduction(max:peak)
    for (int i = 0; i < n; i++) {
        total += (long)v[i];
        peak = v[i] > peak ? v[i] : peak;
    }
}

int main(void)
{
    int n = 1500;
    double *v = malloc((unsigned)n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = i * 7 % 1499;
    scan(n, v);
    scan(100, v + 50);
    printf("%ld %g\n", total, peak);
    free(v);
    return 0;
}
