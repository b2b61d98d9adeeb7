// A pointer without a data clause and without mapped data behind it, accessed where nobody can say: the kernel faults.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 1000, *p = calloc(1000, sizeof *p), s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
        s += p[i * i % n];
    printf("not reached %d\n", s);
    return 0;
}
