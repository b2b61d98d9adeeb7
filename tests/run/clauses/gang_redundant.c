// Code outside loops in parallel is executed by every gang, with private scalars of its own.
// expect-output: gang_redundant.expect
#include <stdio.h>

int main(void)
{
    int a[64], base = 10;
#pragma acc parallel num_gangs(8) copyout(a) firstprivate(base)
    {
        int mine = base;
        mine += 5;
        base = mine * 2;
#pragma acc loop gang
        for (int i = 0; i < 64; i++)
            a[i] = base + i;
    }
    for (int i = 0; i < 64; i++)
        printf("%d ", a[i]);
    printf("%d\n", base);
    return 0;
}
