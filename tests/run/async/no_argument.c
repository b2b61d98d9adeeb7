// async without an argument, and acc_async_sync and acc_async_noval as arguments.
// launches: 3
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[10] = {0}, b[10] = {0};
#pragma acc data copy(a, b)
    {
#pragma acc parallel loop async present(a)
        for (int i = 0; i < 10; i++)
            a[i] += 1;
#pragma acc parallel loop async(acc_async_noval) present(a)
        for (int i = 0; i < 10; i++)
            a[i] *= 5;
#pragma acc parallel loop async(acc_async_sync) present(b)
        for (int i = 0; i < 10; i++)
            b[i] += 2;
#pragma acc update self(b)
        b[0] += 100;
#pragma acc update device(b[0:1])
#pragma acc wait
    }
    printf("%d %d %d\n", a[9], b[0], b[9]);
    return 0;
}
