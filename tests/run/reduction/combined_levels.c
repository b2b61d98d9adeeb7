// Reductions on loops with gang worker vector, gang vector, worker vector at once.
// launches: 4
#include <stdio.h>

#define N 4321

int main(void)
{
    int a = 0, b = 0, c = 0, d = 0;
#pragma acc parallel loop gang worker vector reduction(+:a)
    for (int i = 0; i < N; i++)
        a += i % 7;
#pragma acc parallel loop gang vector reduction(+:b)
    for (int i = 0; i < N; i++)
        b += i % 8;
#pragma acc parallel loop gang worker reduction(+:c)
    for (int i = 0; i < N; i++)
        c += i % 9;
#pragma acc parallel loop worker vector num_gangs(1) reduction(+:d)
    for (int i = 0; i < N; i++)
        d += i % 10;
    printf("%d %d %d %d\n", a, b, c, d);
    return 0;
}
