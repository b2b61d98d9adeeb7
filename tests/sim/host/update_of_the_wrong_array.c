// Two arrays take turns, and the wrong one is brought back.
// finds: stale: read of 4 bytes
// finds: of 'next'
// finds: written on the device at update_of_the_wrong_array.c:23
// cflags: -g -fsanitize=thread

#include <stdio.h>

static float cur[100], next[100];

int main(void)
{
    for (int i = 0; i < 100; i++)
        cur[i] = next[i] = i % 7;

#pragma acc data copyin(cur) create(next)
    {
#pragma acc update device(next)
#pragma acc parallel loop
        for (int i = 1; i < 99; i++)
            // The average.
            // The ends stay.
            next[i] = 0.5f * (cur[i - 1] + cur[i + 1]);
#pragma acc update self(cur)
        float sum = next[0];
        for (int i = 1; i < 99; i++)
            sum += next[i]; // found here
        printf("%g\n", sum);
    }
    return 0;
}
