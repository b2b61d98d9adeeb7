// A recurrence along rows under collapse(2): iterations of one row, here of several warps, are no longer in order.
// finds: race
// finds: of 'sum'
#include <stdio.h>

int main(void)
{
    int m[20][96] = {{0}}, sum[20] = {0};
#pragma acc parallel loop collapse(2) copyin(m) copy(sum)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 96; j++)
            sum[i] = 3 * sum[i] + m[i][j]; // found here
    printf("%d\n", sum[3]);
}
