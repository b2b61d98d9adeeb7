// An asynchronous region with copy clauses of its own: data comes back by the wait.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[64], b[64], c[64], s = 5;
    for (int i = 0; i < 64; i++)
        a[i] = c[i] = i;
#pragma acc parallel loop async(1) copyin(a) copyout(b)
    for (int i = 0; i < 64; i++)
        b[i] = a[i] * a[i];
#pragma acc parallel loop async(2) copyin(c) reduction(+:s)
    for (int i = 0; i < 64; i++)
        s += c[i];
#pragma acc wait
    printf("%d %d %d\n", b[8], b[63], s);
    return 0;
}
