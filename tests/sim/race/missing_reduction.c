// A sum that iterations also use, without a `reduction` clause.
// cflags: -Wno-openacc-race
// finds: race
// finds: of 'sum'
#include <stdio.h>

int main(void)
{
    int a[1000], sum = 0;
    for (int i = 0; i < 1000; i++)
        a[i] = i;
#pragma acc parallel loop copy(a, sum)
    for (int i = 0; i < 1000; i++)
        a[i] = sum += a[i]; // found here
    printf("%d\n", sum);
}
