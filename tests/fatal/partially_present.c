// A section that overlaps mapped data without lying inside it.
#include <stdio.h>

int main(void)
{
    double a[20] = {0};
#pragma acc data copy(a[0:10])
    {
#pragma acc parallel loop copy(a[5:10])
        for (int i = 5; i < 15; i++)
            a[i] = i;
    }
    printf("not reached %g\n", a[5]);
    return 0;
}
