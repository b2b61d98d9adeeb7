// The reduction variable is present through a data region; its value comes back at the region's end.
// launches: 2
#include <stdio.h>

int main(void)
{
    int s = 10, seen;
#pragma acc data copy(s)
    {
#pragma acc parallel loop reduction(+:s) present(s)
        for (int i = 0; i < 100; i++)
            s += i;
#pragma acc update self(s)
        seen = s;
#pragma acc parallel loop reduction(+:s) present(s)
        for (int i = 0; i < 100; i++)
            s += 1;
    }
    printf("%d %d\n", seen, s);
    return 0;
}
