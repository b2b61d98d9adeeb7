// A recurrence along rows under collapse(2): iterations of one row, here of one warp and of the next, are no longer in order.
// cflags: -gpu=nogrid
// finds: race
// finds: of 'sum'
#include <stdio.h>

int main(void)
{
    int m[20][30] = {{0}}, sum[20] = {0};
#pragma acc parallel loop collapse(2) copyin(m) copy(sum)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            sum[i] = 3 * sum[i] + m[i][j]; // found here
    printf("%d\n", sum[3]);
}
