// The same as missing_clause.c on CPU cores behind OpenCL, where an access to an address that is nowhere is a fault of this process.
// modes: opencl opencl-cores (the message names the device)
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 1000, one = 1, *p = calloc(1000, sizeof *p), s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
        s += p[i * i % one];
    printf("not reached %d\n", s);
    return 0;
}
