// A private array is one element too short.
// cflags: -gpu=nochoices
// finds: out of bounds: write of 4 bytes of private memory
#include <stdio.h>

int main(void)
{
    int n = 40, out[40];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < n; i++) {
        int digits[19];
        int count = 0;
        for (int rest = 64 * (1000 * i + 12345); rest > 0; rest /= 2)
            digits[count++] = rest % 2; // found here
        out[i] = digits[i & 3] + count;
    }
    printf("%d\n", out[3]);
}
