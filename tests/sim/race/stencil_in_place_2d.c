// The same in two dimensions: rows are gangs.
// finds: race
// finds: of 't'
#include <stdio.h>

float t[32][64];

int main(void)
{
    t[16][32] = 1;
#pragma acc parallel loop gang copy(t)
    for (int i = 1; i < 31; i++) {
#pragma acc loop vector
        for (int j = 1; j < 63; j++)
            t[i][j] = 0.25f * (t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1]); // found here
    }
    printf("%g\n", t[16][32]);
}
