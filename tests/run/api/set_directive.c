// init, set and shutdown directives.
// expect-output: set_directive.expect
// launches: 1
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    int s = 0;
#pragma acc init
#pragma acc set default_async(4)
    printf("%d\n", acc_get_default_async());
#pragma acc set device_num(0)
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < 10; i++)
        s += i;
#pragma acc shutdown
    printf("%d\n", s);
    return 0;
}
