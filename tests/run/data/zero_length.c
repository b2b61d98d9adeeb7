// Sections of length zero map nothing and are not an error.
// launches: 2
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 0, *p = 0, a[4] = {1, 2, 3, 4}, ran = 0;
#pragma acc parallel copy(a[2:n]) copyin(p[0:n]) copy(ran) num_gangs(1)
    ran = 1;
#pragma acc data copy(a[0:n])
    {
#pragma acc parallel loop copy(a)
        for (int i = 0; i < 4; i++)
            a[i] *= 2;
    }
    printf("%d %d %d\n", ran, a[0], a[3]);
    return 0;
}
