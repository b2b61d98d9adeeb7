// The section leaves out the two neighbours that the stencil needs.
// finds: out of bounds: read of 8 bytes
// finds: 't[1:n-2]' (3984 bytes), element 
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 500;
    double *t = calloc(n, sizeof *t), *next = calloc(n, sizeof *next);
#pragma acc parallel loop copyin(t[1:n-2]) copyout(next[1:n-2])
    for (int i = 1; i < n - 1; i++)
        next[i] = 0.5 * (t[i - 1] + t[i + 1]); // found here
    printf("%g\n", next[7]);
}
