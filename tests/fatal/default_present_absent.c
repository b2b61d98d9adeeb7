// default(present) and an array that nobody mapped.
#include <stdio.h>

int main(void)
{
    int b[10] = {0};
#pragma acc parallel loop default(present)
    for (int i = 0; i < 10; i++)
        b[i] = i;
    printf("not reached %d\n", b[0]);
    return 0;
}
