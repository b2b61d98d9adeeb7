// Lanes 32 words apart in an array of the gang use the same bank of shared memory.
// finds: nothing
// counters: conflicts >= 1000
#include <stdio.h>

int out[4][1024];

int main(void)
{
#pragma acc parallel loop gang vector_length(32) copyout(out)
    for (int i = 0; i < 4; i++) {
        int table[1024];
#pragma acc loop vector
        for (int j = 0; j < 1024; j++)
            table[j % 32 * 32 + j / 32] = i + j;
#pragma acc loop vector
        for (int j = 0; j < 1024; j++)
            out[i][j] = table[j];
    }
    printf("%d\n", out[3][1023]);
}
