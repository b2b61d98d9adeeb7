// Memory of acc_malloc holds nothing until it is written.
// finds: uninitialised: read of 4 bytes at byte
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int sum = 0;
    int *buffer = acc_malloc(100 * sizeof *buffer);
#pragma acc parallel loop deviceptr(buffer) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += buffer[i]; // found here
    acc_free(buffer);
    printf("%d\n", sum);
}
