// Programs that tell of the host's accesses are looked at in both directions.
// finds: stale: read of 4 bytes
// finds: the host has written there since the last transfer
// cflags: -g -fsanitize=thread

#include <stdio.h>

int main(void)
{
    int scale[4] = {1, 2, 3, 4}, a[64] = {0};

#pragma acc data copyin(scale) copy(a)
    {
        scale[2] = 10;
#pragma acc parallel loop
        for (int i = 0; i < 64; i++)
            a[i] = scale[i % 4]; // found here
    }
    printf("%d\n", a[2]);
    return 0;
}
