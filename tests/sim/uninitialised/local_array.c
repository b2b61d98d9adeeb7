// A histogram in a local array that nobody sets to zero.
// cflags: -gpu=nochoices
// finds: uninitialised: read of 4 bytes of private memory
#include <stdio.h>

int main(void)
{
    int out[64];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < 64; i++) {
        int count[24];
        for (int k = 0; k < i; k++)
            count[k * k % 24]++; // found here
        out[i] = count[i % 24];
    }
    printf("%d\n", out[3]);
}
