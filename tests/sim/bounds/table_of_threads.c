// A small array of each iteration, looked up by numbers of its own, is one element too short: it is memory of the gang then.
// finds: out of bounds: read of 4 bytes
#include <stdio.h>

int main(void)
{
    int n = 40, out[40];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < n; i++) {
        int seen[12];
        for (int k = 0; k < 12; k++)
            seen[k] = 0;
        for (int rest = 1000 * i + 12345; rest > 0; rest /= 13)
            seen[rest % 13]++; // found here
        out[i] = seen[i % 12];
    }
    printf("%d\n", out[3]);
}
