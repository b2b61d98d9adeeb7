// Two million iterations: more than gangs, workers and lanes together.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 2000000;
    unsigned *a = malloc((unsigned long)n * sizeof *a);
#pragma acc parallel loop copyout(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = (unsigned)i * 2654435761u;
    unsigned long s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] ^ (unsigned)i;
    printf("%lu %u\n", s, a[n - 1]);
    free(a);
    return 0;
}
