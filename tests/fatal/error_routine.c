// The program's own routine gets the message before the program ends.
#include <openacc.h>
#include <stdio.h>

static void tell(char *message)
{
    fprintf(stderr, "told: %s\n", message);
}

int main(void)
{
    static double table[100];
    acc_set_error_routine(tell);
    acc_update_device(table, sizeof table);
    printf("not reached %g\n", table[0]);
    return 0;
}
