// reduction on the parallel construct itself: every gang contributes once.
// launches: 2
#include <stdio.h>

int main(void)
{
    int s = 0, p = 1;
#pragma acc parallel num_gangs(1) reduction(+:s) reduction(*:p)
    {
        s += 5;
        p *= 3;
    }
    printf("%d %d\n", s, p);
    s = 10;
#pragma acc parallel num_gangs(1) reduction(max:s)
    s = s > 20 ? s : 20;
    printf("%d\n", s);
    return 0;
}
