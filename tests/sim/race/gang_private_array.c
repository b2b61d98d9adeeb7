// An array of the gang is used as if each lane had its own.
// finds: race
// finds: of 'pair'
#include <stdio.h>

int main(void)
{
    int out[10][64];
#pragma acc parallel loop gang copyout(out)
    for (int i = 0; i < 10; i++) {
        int pair[2];
#pragma acc loop vector
        for (int j = 0; j < 64; j++) {
            pair[i & 1] = i + j; // found here
            pair[1 - (i & 1)] = i - j; // found here
            out[i][j] = pair[i & 1] * pair[1 - (i & 1)]; // found here
        }
    }
    printf("%d\n", out[3][3]);
}
