// Memory of acc_malloc is used after acc_free.
// finds: use of freed memory: write of 4 bytes
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int *buffer = acc_malloc(100 * sizeof *buffer);
    acc_free(buffer);
#pragma acc parallel loop deviceptr(buffer)
    for (int i = 0; i < 100; i++)
        buffer[i] = i; // found here
    printf("%p\n", (void *)buffer);
}
