// Loops without a directive inside partitioned loops run in order in each iteration.
#include <stdio.h>

int main(void)
{
    unsigned h[64];
#pragma acc parallel loop gang worker vector copyout(h)
    for (int i = 0; i < 64; i++) {
        unsigned x = (unsigned)i;
        for (int k = 0; k < 10; k++)
            for (int m = k; m < 12; m++)
                x = x * 1664525u + 1013904223u + (unsigned)(k * m);
        h[i] = x;
    }
    for (int i = 0; i < 64; i++)
        printf("%u\n", h[i]);
    return 0;
}
