// The loop writes one element behind the array.
// finds: out of bounds: write of 8 bytes just past the end of 'a[0:n]' (8000 bytes), element 1000
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 1000;
    double *a = malloc(n * sizeof *a);
#pragma acc parallel loop copyout(a[0:n])
    for (int i = 0; i <= n; i++)
        a[i] = i; // found here
    printf("%g\n", a[0]);
}
