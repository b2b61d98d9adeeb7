// acc_memcpy_device beyond the end of its source.
// modes: shared discrete (the simulator's messages are its own)
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    char *from = acc_malloc(100), *to = acc_malloc(200);
    acc_memcpy_device(to, from, 100);
    acc_memcpy_device(to + 10, from, 101);
    printf("not reached\n");
    return 0;
}
