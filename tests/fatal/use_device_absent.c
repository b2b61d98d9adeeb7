// use_device of a pointer to what nobody mapped.
#include <stdio.h>

int main(void)
{
    int b[10] = {0}, *p = b;
#pragma acc host_data use_device(p)
    printf("not reached %d\n", p == b);
    return 0;
}
