// `race/recurrence_between_lanes` as it should be: the dependent loop is sequential, and lanes share out the rows.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int a[100][64] = {{0}};
#pragma acc parallel loop gang vector copy(a)
    for (int i = 0; i < 100; i++) {
#pragma acc loop seq
        for (int j = 1; j < 64; j++)
            a[i][j] = a[i][j - 1] + j;
    }
    printf("%d\n", a[3][63]);
}
