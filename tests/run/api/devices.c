// Device enquiry and selection.
// launches: 0
// modes: shared (with memory of its own the CPU device is an accelerator)
// expect-output: devices.expect
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    acc_init(acc_device_default);
    printf("%d\n", acc_get_num_devices(acc_get_device_type()) >= 1);
    acc_set_device_num(0, acc_device_default);
    printf("%d\n", acc_get_device_num(acc_device_default));
    acc_set_device_type(acc_device_host);
    printf("%d\n", acc_get_device_type() == acc_device_host);
    printf("%d %d\n", acc_on_device(acc_device_host) != 0, acc_on_device(acc_device_not_host) != 0);
    acc_shutdown(acc_device_host);
    return 0;
}
