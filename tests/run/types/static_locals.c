// Static local arrays and scalars of the host function in regions.
// launches: 8
#include <stdio.h>

static int step(void)
{
    static int calls[4];
    static int total = 0;
#pragma acc parallel loop copy(calls)
    for (int i = 0; i < 4; i++)
        calls[i] += i + 1;
#pragma acc serial copy(total) copyin(calls)
    for (int i = 0; i < 4; i++)
        total += calls[i];
    return total;
}

int main(void)
{
    for (int t = 0; t < 4; t++)
        printf("%d\n", step());
    return 0;
}
