// Reductions on two queues, results used after the wait.
// launches: 3
#include <stdio.h>

int main(void)
{
    int a = 0, b = 100;
    static int v[1000];
    for (int i = 0; i < 1000; i++)
        v[i] = i;
#pragma acc data copyin(v) copy(a, b)
    {
#pragma acc parallel loop async(1) present(v, a) reduction(+:a)
        for (int i = 0; i < 1000; i++)
            a += v[i];
#pragma acc parallel loop async(2) present(v, b) reduction(max:b)
        for (int i = 0; i < 1000; i++)
            b = v[i] > b ? v[i] : b;
#pragma acc parallel loop async(1) present(v, a) reduction(+:a)
        for (int i = 0; i < 1000; i++)
            a += 1;
#pragma acc wait
    }
    printf("%d %d\n", a, b);
    return 0;
}
