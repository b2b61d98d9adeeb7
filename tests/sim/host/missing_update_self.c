// A kernel computes new values, and the host prints an old one.
// finds: stale: read of 8 bytes at byte 40 of 't' (512 bytes), element 5 by the host, of which the device has newer values
// finds: written on the device at missing_update_self.c:20
// finds: in function main
// cflags: -g -fsanitize=thread

#include <stdio.h>

int main(void)
{
    double t[64];

    for (int i = 0; i < 64; i++)
        t[i] = i;

#pragma acc data copy(t)
    {
#pragma acc parallel loop
        for (int i = 0; i < 64; i++)
            t[i] = 2 * t[i];
        printf("%g\n", t[5]); // found here
    }
    return 0;
}
