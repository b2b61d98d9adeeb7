// collapse(2) with different types, starts, steps and directions of the two loops.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[12][15] = {{0}};
#pragma acc parallel loop collapse(2) copy(a)
    for (int i = 1; i < 12; i += 2)
        for (long j = 14; j >= 3; j -= 3)
            a[i][j] = i * 100 + (int)j;
#pragma acc parallel loop collapse(2) gang vector copy(a)
    for (unsigned i = 0; i < 12; i++)
        for (short j = 0; j != 15; j++)
            a[i][j]++;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 15; j++)
            printf("%d%c", a[i][j], j == 14 ? '\n' : ' ');
    return 0;
}
