// Clauses for NVIDIA GPUs hold, those that are evaluated at run time as well.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int few = 3, counted = 0;
#pragma acc parallel copy(counted) device_type(host) num_gangs(7) device_type(nvidia) num_gangs(few)
    {
#pragma acc atomic
        counted++;
    }
#ifdef _OPENACC
    counted -= 2;
#endif
    printf("%d\n", counted);
}
