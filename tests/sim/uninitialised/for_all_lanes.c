// One lane reads for all of its gang, and the others compute with the value.
// finds: uninitialised: read of 8 bytes
// finds: of 'scale' (80 bytes)
#include <stdio.h>

int main(void)
{
    double scale[10], a[10][64];
#pragma acc parallel loop gang create(scale) copyout(a)
    for (int i = 0; i < 10; i++) {
        double same = scale[i]; // found here
#pragma acc loop vector
        for (int j = 0; j < 64; j++)
            a[i][j] = same * j;
    }
    printf("%g\n", a[3][3]);
}
