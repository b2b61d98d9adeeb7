// Queue numbers from expressions, many distinct queues, wait with if.
// launches: 50
#include <stdio.h>

int main(void)
{
    static int a[50];
    int base = 100, yes = 1;
#pragma acc data copyout(a)
    {
        for (int q = 0; q < 50; q++) {
#pragma acc parallel num_gangs(1) async(base + q * 2) present(a)
            a[q] = q + 1;
        }
        for (int q = 0; q < 50; q++) {
#pragma acc wait(base + q * 2) if (yes)
        }
    }
    int s = 0;
    for (int i = 0; i < 50; i++)
        s += a[i] * i;
    printf("%d\n", s);
    return 0;
}
