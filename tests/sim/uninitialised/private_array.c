// `private` does not bring the values in; `firstprivate` would.
// cflags: -gpu=nochoices
// finds: uninitialised: read of 4 bytes of private memory
#include <stdio.h>

int main(void)
{
    int weight[20] = {1, 2, 2, 1}, out[64];
#pragma acc parallel loop private(weight) copyout(out)
    for (int i = 0; i < 64; i++)
        out[i] = i * weight[i % 20]; // found here
    printf("%d\n", out[3]);
}
