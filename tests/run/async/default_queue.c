// The default queue set by routine and directive, waited for by number, with and without the device's.
#include <stdio.h>
#ifdef _OPENACC
#include <openacc.h>
#else
#define acc_set_default_async(queue) (last = (queue))
#define acc_get_default_async() last
static int last;
#endif

int main(void)
{
    int a[64], sum = 0, device = 0;
    for (int i = 0; i < 64; i++) a[i] = i;
    acc_set_default_async(3);
    printf("%d\n", acc_get_default_async());
#pragma acc data copy(a)
    {
#pragma acc parallel loop async
        for (int i = 0; i < 64; i++) a[i] += 1;
#pragma acc wait(devnum: device: queues: 3)
#pragma acc parallel loop async(4) wait(devnum: 0: 3)
        for (int i = 0; i < 64; i++) a[i] *= 2;
#pragma acc update self(a) wait(queues: 4) async
#pragma acc wait(3, 4) if(device == 0)
        for (int i = 0; i < 64; i++) sum += a[i];
    }
    printf("%d\n", sum);
    return 0;
}
