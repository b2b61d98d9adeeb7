// The vector loop runs down the columns: each lane moves a sector of 32 bytes for its 4. The number of gangs is the program's, so that the
// compiler has no say in the shape of blocks.
// finds: nothing
// counters: load-eff <= 0.13, store-eff <= 0.13
#include <stdio.h>

float m[128][64], out[128][64];

int main(void)
{
    for (int i = 0; i < 128; i++)
        for (int j = 0; j < 64; j++)
            m[i][j] = i + j;
#pragma acc parallel loop gang num_gangs(64) copyin(m) copyout(out)
    for (int j = 0; j < 64; j++) {
#pragma acc loop vector
        for (int i = 0; i < 128; i++)
            out[i][j] = 2 * m[i][j];
    }
    printf("%g\n", out[127][63]);
}
