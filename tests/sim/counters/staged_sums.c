// The same with sums in memory and without `restrict`: a store for each sum and block of staged elements, not for each element. More terms would
// have a gang for each sum.
// finds: nothing
// counters: divergent == 0, load-eff == 1, conflicts == 0, loaded == 384, stored <= 512
#include <stdio.h>

float p[96], out[128];

static void sums(size_t n, size_t terms, float *from, float *to)
{
#pragma acc parallel loop copyin(from[0:terms]) copyout(to[0:n])
    for (size_t i = 0; i < n; i++) {
        to[i] = 0;
        for (size_t k = 0; k < terms; k++)
            to[i] += from[k];
    }
}

int main(void)
{
    for (int k = 0; k < 96; k++)
        p[k] = k % 10;
    sums(128, 96, p, out);
    printf("%g\n", out[127]);
}
