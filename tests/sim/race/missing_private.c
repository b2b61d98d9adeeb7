// The scratch array should be private to each iteration.
// cflags: -Wno-openacc-race
// finds: race
// finds: of 'scratch'
#include <stdio.h>

int main(void)
{
    int out[500], scratch[2];
#pragma acc parallel loop copyout(out) create(scratch)
    for (int i = 0; i < 500; i++) {
        scratch[0] = i; // found here
        scratch[1] = 2 * i; // found here
        out[i] = scratch[0] + scratch[1]; // found here
    }
    printf("%d\n", out[3]);
}
