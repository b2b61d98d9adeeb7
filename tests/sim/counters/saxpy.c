// No divergence where the number of iterations is a multiple of the lanes; one access of all 32 lanes at a time.
// finds: nothing
// counters: divergent == 0, lanes >= 31, load-eff == 1, store-eff == 1, load-width >= 4
#include <stdio.h>

float x[8192], y[8192];

int main(void)
{
    for (int i = 0; i < 8192; i++)
        x[i] = y[i] = i % 10;
#pragma acc parallel loop copyin(x) copy(y) vector_length(128) num_gangs(8)
    for (int i = 0; i < 8192; i++)
        y[i] += 2.5f * x[i];
    printf("%g %g\n", y[7], y[8191]);
}
