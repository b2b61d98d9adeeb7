// `race/missing_private` as it should be.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int out[500], scratch[2];
#pragma acc parallel loop copyout(out) private(scratch)
    for (int i = 0; i < 500; i++) {
        scratch[0] = i;
        scratch[1] = 2 * i;
        out[i] = scratch[0] + scratch[1];
    }
    printf("%d\n", out[3]);
}
