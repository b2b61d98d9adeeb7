// The same between the workers of a gang.
// finds: race
// finds: of 'a'
#include <stdio.h>

int main(void)
{
    int a[8][64] = {{0}};
#pragma acc parallel loop gang num_workers(4) copy(a)
    for (int i = 0; i < 8; i++) {
#pragma acc loop worker
        for (int j = 1; j < 64; j++)
            a[i][j] = a[i][j - 1] + j; // found here
    }
    printf("%d\n", a[3][3]);
}
