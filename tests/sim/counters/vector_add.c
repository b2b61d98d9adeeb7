// Consecutive lanes take consecutive elements: every byte moved is used, and no warp diverges but the last.
// finds: nothing
// counters: load-eff >= 0.99, store-eff >= 0.99, divergent <= 2, conflicts == 0, barriers == 0
#include <stdio.h>

float a[4096], b[4096], c[4096];

int main(void)
{
    for (int i = 0; i < 4096; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
#pragma acc parallel loop copyin(a, b) copyout(c)
    for (int i = 0; i < 4096; i++)
        c[i] = a[i] + b[i];
    printf("%g %g\n", c[7], c[4095]);
}
