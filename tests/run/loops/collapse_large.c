// The number of iterations of a collapsed nest exceeds 32 bits of an inner product; only a few do work.
#include <stdio.h>

int main(void)
{
    int hits = 0;
    unsigned long sum = 0;
#pragma acc parallel loop collapse(2) reduction(+:hits, sum)
    for (int i = 0; i < 3000; i++)
        for (int j = 0; j < 3000; j++)
            if ((i * 7 + j * 13) % 1009 == 0) {
                hits++;
                sum += (unsigned long)i * 3000 + (unsigned long)j;
            }
    printf("%d %lu\n", hits, sum);
    return 0;
}
