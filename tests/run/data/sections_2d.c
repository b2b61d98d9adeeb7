// Contiguous sections of two- and three-dimensional arrays.
// launches: 3
#include <stdio.h>

int main(void)
{
    static int a[8][6], b[4][5][6];
    for (int i = 0; i < 48; i++)
        (&a[0][0])[i] = i;
#pragma acc parallel loop collapse(2) copy(a[2:3][0:6])
    for (int i = 2; i < 5; i++)
        for (int j = 0; j < 6; j++)
            a[i][j] += 1000;
#pragma acc parallel loop copy(a[7:1][2:3])
    for (int j = 2; j < 5; j++)
        a[7][j] = -1;
#pragma acc parallel loop collapse(3) copyout(b[1:2][:][:])
    for (int i = 1; i < 3; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 6; k++)
                b[i][j][k] = i * 100 + j * 10 + k;
    long s = 0;
    for (int i = 0; i < 48; i++)
        s = s * 3 % 1000003 + (&a[0][0])[i];
    for (int i = 0; i < 120; i++)
        s = s * 3 % 1000003 + (&b[0][0][0])[i];
    printf("%ld\n", s);
    return 0;
}
