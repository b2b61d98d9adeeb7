// A section of constant length of a pointed-to array as reduction variable.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    enum { n = 6 };
    long *h = calloc(n, sizeof *h);
    h[2] = 1000;
#pragma acc parallel loop copy(h[0:n]) reduction(+:h[0:n])
    for (int i = 0; i < 3000; i++)
        h[i * 7 % n] += i % 3;
    for (int k = 0; k < n; k++)
        printf("%ld ", h[k]);
    printf("\n");
    free(h);
    return 0;
}
