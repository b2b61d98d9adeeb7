// In a region, acc_on_device is true for the type of the current device and for no other one.
// expect-output: on_device.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    acc_device_t types[] = {acc_device_host, acc_device_nvidia, acc_device_radeon,
                            acc_device_cpu,  acc_device_sim,    acc_device_opencl};
    acc_device_t own = acc_get_device_type();
    int host[6], device[6], constant[2], not_host = 0;
#pragma acc parallel loop copyin(types) copyout(device)
    for (int i = 0; i < 6; i++)
        device[i] = acc_on_device(types[i]);
#pragma acc parallel copyout(constant) copy(not_host) num_gangs(1)
    {
        constant[0] = acc_on_device(acc_device_nvidia);
        constant[1] = acc_on_device(acc_device_sim);
        not_host = acc_on_device(acc_device_not_host);
    }
    int wrong = 0;
    for (int i = 0; i < 6; i++) {
        host[i] = acc_on_device(types[i]);
        wrong += !!device[i] != (types[i] == own);
        wrong += !!host[i] != (types[i] == acc_device_host);
    }
    wrong += !!constant[0] != (own == acc_device_nvidia);
    wrong += !!constant[1] != (own == acc_device_sim);
    wrong += !!not_host != (own != acc_device_host);
    printf("%d wrong\n", wrong);
    return 0;
}
