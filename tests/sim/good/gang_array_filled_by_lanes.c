// Lanes fill an array of the gang in one loop and read each other's elements in the next: a barrier is in between.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int out[10][64];
#pragma acc parallel loop gang copyout(out)
    for (int i = 0; i < 10; i++) {
        int row[64];
#pragma acc loop vector
        for (int j = 0; j < 64; j++)
            row[j] = i * j;
#pragma acc loop vector
        for (int j = 0; j < 64; j++)
            out[i][j] = row[63 - j];
    }
    printf("%d\n", out[3][3]);
}
