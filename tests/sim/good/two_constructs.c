// `race/no_barrier_between_gangs` as it should be: the second construct waits for the first.
// finds: nothing
#include <stdio.h>

int main(void)
{
    int a[2000], b[2000];
#pragma acc data copyout(a) create(b)
    {
#pragma acc parallel loop
        for (int i = 0; i < 2000; i++)
            b[i] = i;
#pragma acc parallel loop
        for (int i = 0; i < 2000; i++)
            a[i] = b[1999 - i];
    }
    printf("%d\n", a[3]);
}
