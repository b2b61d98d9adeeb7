// tile(4,*) on a nest of two loops whose counts the tile sizes do not divide.
// launches: 2
#include <stdio.h>

int main(void)
{
    static int a[13][18];
#pragma acc parallel loop tile(4, 8) copyout(a)
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 18; j++)
            a[i][j] = i * 18 + j;
#pragma acc parallel loop tile(*, 3) copy(a)
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 18; j++)
            a[i][j] *= 2;
    int bad = 0;
    for (int n = 0; n < 13 * 18; n++)
        bad += (&a[0][0])[n] != 2 * n;
    printf("%d\n", bad);
    return 0;
}
