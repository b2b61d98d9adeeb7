// loop auto: a recurrence must stay in order, an independent loop may run in parallel.
// launches: 2
#include <stdio.h>

int main(void)
{
    int a[100], b[100];
#pragma acc kernels copyout(a, b)
    {
#pragma acc loop auto
        for (int i = 0; i < 100; i++)
            a[i] = i % 7;
        b[0] = a[0];
#pragma acc loop auto
        for (int i = 1; i < 100; i++)
            b[i] = b[i - 1] + a[i];
    }
#pragma acc parallel loop auto copy(a) num_gangs(1)
    for (int i = 1; i < 100; i++)
        a[i] = a[i - 1] * 3 % 101 + a[i];
    printf("%d %d %d\n", b[99], a[50], a[99]);
    return 0;
}
