// More gangs, workers and lanes than iterations: idle ones contribute the identity.
// launches: 3
#include <stdio.h>

int main(void)
{
    int s = 0, m = -100, x = ~0;
#pragma acc parallel loop gang worker vector num_gangs(50) num_workers(8) vector_length(128) reduction(+:s)
    for (int i = 0; i < 3; i++)
        s += i + 1;
#pragma acc parallel loop gang num_gangs(64) reduction(max:m)
    for (int i = 0; i < 2; i++)
        m = m > -5 - i ? m : -5 - i;
#pragma acc parallel loop gang num_gangs(64) reduction(&:x)
    for (int i = 0; i < 5; i++)
        x &= ~(1 << i);
    printf("%d %d %d\n", s, m, x);
    return 0;
}
