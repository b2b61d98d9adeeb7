// _OPENACC is defined, and openacc.h declares the types and constants that programs name.
// expect-output: version_macro.expect
// launches: 0
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    acc_device_t t = acc_device_nvidia;
    acc_device_property_t p = acc_property_vendor;
    int queue = acc_async_noval;
    printf("%d %d %d\n", _OPENACC >= 202506, t != acc_device_none && p >= 0, queue != acc_async_sync);
    return 0;
}
