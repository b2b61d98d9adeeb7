// All lanes read the same in each iteration: each element is loaded once, instead of once for each lane.
// finds: nothing
// counters: divergent == 0, loaded == 384, load-eff == 1, conflicts == 0
#include <stdio.h>

float p[96], out[128];

int main(void)
{
    for (int k = 0; k < 96; k++)
        p[k] = k % 10;
#pragma acc parallel loop copyin(p) copyout(out)
    for (int i = 0; i < 128; i++) {
        float s = i;
        for (int j = 0; j < 96; j++)
            s += i * p[j];
        out[i] = s;
    }
    printf("%g\n", out[127]);
}
