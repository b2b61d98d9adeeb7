// Odd and even lanes do different things in loops of different lengths: half of the lanes wait.
// finds: nothing
// counters: divergent >= 64, lanes <= 24
#include <stdio.h>

int out[2048];

int main(void)
{
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < 2048; i++) {
        int sum = 0;
        for (int k = 0; k < (i % 2 ? 40 : 1); k++)
            sum += k * i % 7;
        out[i] = sum;
    }
    printf("%d\n", out[2047]);
}
