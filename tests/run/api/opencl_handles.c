// The routines of OpenACC 2.0 that give and take handles of OpenCL: null where the device is none of OpenCL's.
// expect-output: opencl_handles.expect
// launches: 1
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int is = acc_get_device_type() == acc_device_opencl;
    void *device = acc_get_current_opencl_device(), *context = acc_get_current_opencl_context(), *queue = acc_get_opencl_queue(3);
    int x[10] = {0};
    printf("%d %d %d\n", (device != 0) == is, (context != 0) == is, (queue != 0) == is);
    acc_set_opencl_queue(4, queue);
    printf("%d\n", acc_get_opencl_queue(4) == queue);
#pragma acc parallel loop copy(x) async(4)
    for (int i = 0; i < 10; i++)
        x[i] = i;
    acc_wait(4);
    printf("%d\n", x[7]);
    return 0;
}
