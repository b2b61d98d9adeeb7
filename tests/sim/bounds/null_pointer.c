// A pointer that was never set.
// finds: null pointer: read of 4 bytes at address
#include <stdio.h>

int main(void)
{
    int *p = 0, sum = 0;
#pragma acc parallel loop deviceptr(p) reduction(+ : sum)
    for (int i = 3; i < 9; i++)
        sum += p[i]; // found here
    printf("%d\n", sum);
}
