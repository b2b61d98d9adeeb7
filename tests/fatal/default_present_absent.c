// default(present) and an array that nobody mapped.
#include <stdio.h>

int main(void)
{
    int a[10], b[10] = {0};
#pragma acc data copyout(a)
    {
#pragma acc parallel loop default(present)
        for (int i = 0; i < 10; i++)
            a[i] = b[i];
    }
    printf("not reached %d\n", a[0]);
    return 0;
}
