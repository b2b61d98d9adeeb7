// A device pointer is kept and used after its data has left the device.
// finds: use of freed memory: read of 4 bytes at byte
// finds: of 'a' (400 bytes)
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int a[100] = {0}, sum = 0;
#pragma acc enter data copyin(a)
    int *on_device = acc_deviceptr(a);
#pragma acc exit data delete(a)
#pragma acc parallel loop deviceptr(on_device) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += on_device[i]; // found here
    printf("%d\n", sum);
}
