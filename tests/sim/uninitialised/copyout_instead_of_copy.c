// `copyout` for an array that is added to.
// finds: uninitialised: read of 8 bytes at byte
// finds: of 'sum[0:n]' (2400 bytes)
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 300;
    double *sum = calloc(n, sizeof *sum);
#pragma acc parallel loop copyout(sum[0:n])
    for (int i = 0; i < n; i++)
        sum[i] += 0.5 * i; // found here
    printf("%g\n", sum[3]);
}
