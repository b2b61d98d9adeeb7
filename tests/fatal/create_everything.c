// acc_create of more than memory has.
// modes: shared discrete sim (on each)
#include <openacc.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    static int a[100];
    acc_create(a, SIZE_MAX);
    printf("not reached\n");
    return 0;
}
