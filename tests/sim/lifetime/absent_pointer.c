// A pointer without any data clause, accessed where nobody can say: what it points to is not on the device.
// finds: the kernel accesses 'p' (
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int *p = calloc(50, sizeof *p), sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < 50; i++)
        sum += p[i * i % 50]; // found here
    printf("%d\n", sum);
}
