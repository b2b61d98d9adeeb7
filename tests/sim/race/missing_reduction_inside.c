// The sums of the beginnings of a row: all lanes share the gang's variable.
// finds: race
// finds: of 'sum'
#include <stdio.h>

int main(void)
{
    float m[10][64] = {{0}}, sums[10];
#pragma acc parallel loop gang copy(m) copyout(sums)
    for (int i = 0; i < 10; i++) {
        float sum = 0;
#pragma acc loop vector
        for (int j = 0; j < 64; j++)
            m[i][j] = sum += m[i][j]; // found here
        sums[i] = sum;
    }
    printf("%g\n", sums[3]);
}
