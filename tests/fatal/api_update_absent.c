// acc_update_device on data that is not present.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static double table[100];
    acc_update_device(table, sizeof table);
    printf("not reached %g\n", table[0]);
    return 0;
}
