// acc_copyin of a range of which a part is present.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    static double table[100];
    acc_copyin(table + 20, 30 * sizeof *table);
    acc_copyin(table, 50 * sizeof *table);
    printf("not reached %g\n", table[0]);
    return 0;
}
