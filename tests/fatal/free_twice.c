// acc_free twice.
#include <openacc.h>
#include <stdio.h>

int main(void)
{
    void *d = acc_malloc(1000);
    acc_free(d);
    acc_free(d);
    printf("not reached\n");
    return 0;
}
