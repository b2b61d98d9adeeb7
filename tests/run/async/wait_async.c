// wait(1) async(2) lets queue 2 wait for queue 1 without stopping the host.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a[100], b[100];
#pragma acc data copyout(a, b)
    {
#pragma acc parallel loop async(1) present(a)
        for (int i = 0; i < 100; i++)
            a[i] = i * 3;
#pragma acc wait(1) async(2)
#pragma acc parallel loop async(2) present(a, b)
        for (int i = 0; i < 100; i++)
            b[i] = a[99 - i];
#pragma acc wait async(4)
#pragma acc parallel loop async(4) present(a, b)
        for (int i = 0; i < 100; i++)
            a[i] += b[i];
#pragma acc wait
    }
    printf("%d %d %d\n", a[0], a[50], b[7]);
    return 0;
}
