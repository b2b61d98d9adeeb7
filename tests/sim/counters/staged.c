// All lanes read the same in each iteration: each element is loaded once, instead of once for each lane.
// finds: nothing
// counters: divergent == 0, loaded == 2048, load-eff == 1, conflicts == 0
#include <stdio.h>

float p[512], out[128];

int main(void)
{
    for (int k = 0; k < 512; k++)
        p[k] = k % 10;
#pragma acc parallel loop copyin(p) copyout(out)
    for (int i = 0; i < 128; i++) {
        float s = i;
        for (int j = 0; j < 512; j++)
            s += i * p[j];
        out[i] = s;
    }
    printf("%g\n", out[127]);
}
