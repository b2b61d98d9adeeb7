// The simplest region: sections by clauses, a scalar that no clause names.
#include <stdlib.h>

int main(void)
{
    int n = 1000;
    double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
#pragma acc parallel loop copyin(a[0:n]) copyout(b[0:n])
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
    return b[999] != 1;
}
