// The vector loop runs along the rows: coalesced.
// finds: nothing
// counters: load-eff >= 0.99, store-eff >= 0.99
#include <stdio.h>

float m[64][128], out[64][128];

int main(void)
{
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 128; j++)
            m[i][j] = i + j;
#pragma acc parallel loop gang copyin(m) copyout(out)
    for (int i = 0; i < 64; i++) {
#pragma acc loop vector
        for (int j = 0; j < 128; j++)
            out[i][j] = 2 * m[i][j];
    }
    printf("%g\n", out[63][127]);
}
