// More device memory than any machine has.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(16);
    unsigned long n = 1ul << 46;
#pragma acc enter data create(p[0:n])
    printf("not reached\n");
    return 0;
}
