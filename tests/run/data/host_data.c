// host_data use_device gives the device address to host code; here it is handed on as a deviceptr.
// launches: 2
#include <stdio.h>

static void scale(int *device, int n, int by)
{
#pragma acc parallel loop deviceptr(device)
    for (int i = 0; i < n; i++)
        device[i] *= by;
}

int main(void)
{
    int a[12];
    for (int i = 0; i < 12; i++)
        a[i] = i;
#pragma acc data copy(a)
    {
#pragma acc host_data use_device(a)
        scale(a, 12, 7);
#pragma acc host_data use_device(a) if_present
        {
            scale(a + 2, 3, 100);
        }
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
