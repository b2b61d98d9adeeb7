// `present` of a pointer without a section, whose data was never mapped.
#include <stdlib.h>

int main(void)
{
    int n = 10;
    double *p = calloc(10, sizeof *p);
#pragma acc parallel loop present(p)
    for (int i = 0; i < n; i++)
        p[i] = i;
    return (int)p[3];
}
