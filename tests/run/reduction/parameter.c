// The reduction variable is a function parameter; the function returns it.
// launches: 3
#include <stdio.h>

static int sum_from(int start, int n)
{
#pragma acc parallel loop reduction(+:start)
    for (int i = 0; i < n; i++)
        start += i * i;
    return start;
}

int main(void)
{
    printf("%d %d %d\n", sum_from(5, 10), sum_from(0, 100), sum_from(-1, 0));
    return 0;
}
