// acc_memcpy_d2d from data that is not present.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static double from[100], to[100];
    acc_create(to, sizeof to);
    acc_memcpy_d2d(to, from, sizeof to, 0, 0);
    printf("not reached %g\n", to[0]);
    return 0;
}
