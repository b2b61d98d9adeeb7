// A reduction region whose if clause is false runs on the host with the same result.
// launches: 1
#include <stdio.h>

static int sum(int device)
{
    int s = 1;
#pragma acc parallel loop reduction(+:s) if (device)
    for (int i = 0; i < 100; i++)
        s += i;
    return s;
}

int main(void)
{
    printf("%d %d\n", sum(0), sum(1));
    return 0;
}
