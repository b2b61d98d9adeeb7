// use_device of a scalar: its name cannot mean another object.
#include <stdio.h>

int main(void)
{
    int x = 1;
#pragma acc data copyin(x)
#pragma acc host_data use_device(x)
    printf("not reached %p\n", (void *)&x);
    return 0;
}
