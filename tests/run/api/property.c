// acc_get_property and acc_get_property_string.
// expect-output: property.expect
// launches: 0
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    acc_device_t t = acc_get_device_type();
    printf("%d\n", acc_get_property(0, t, acc_property_memory) > 0);
    const char *name = acc_get_property_string(0, t, acc_property_name);
    printf("%d\n", name && *name);
    return 0;
}
