// A sum over gangs and lanes: partial sums meet in registers and shared memory without bank conflicts.
// finds: nothing
// counters: conflicts == 0, load-eff >= 0.9, lanes >= 20
#include <stdio.h>

double a[16384];

int main(void)
{
    double sum = 0;
    for (int i = 0; i < 16384; i++)
        a[i] = i % 32;
#pragma acc parallel loop copyin(a) reduction(+ : sum)
    for (int i = 0; i < 16384; i++)
        sum += a[i];
    printf("%g\n", sum);
}
