// The value that a loop in `kernels` leaves in its counter is where the next loop starts, in the same construct and in another one.
#include <stdio.h>

int main(void)
{
    int r[8] = {0}, q[8] = {0}, p[8] = {0}, i, j, n = 2;
#pragma acc kernels copy(r)
    {
        for (i = 1; i < 3; i++)
            r[i] = 1;
        for (i = i + 1; i < 8; i++)
            r[i] = 2;
    }
#pragma acc kernels copy(q)
    for (i = 0; i < n; i++)
        q[i] = 1;
#pragma acc kernels copy(q)
    for (i = i; i < 8; i++)
        q[i] = 2;
#pragma acc kernels copy(p)
    for (j = 7; j > 4; j--)
        p[j] = 5;
#pragma acc kernels copy(p)
    for (j -= 1; j >= 0; j--)
        p[j] = 6;
    for (int k = 0; k < 8; k++)
        printf("%d %d %d\n", r[k], q[k], p[k]);
    return 0;
}
