// while loops of different length in each iteration (Collatz).
#include <stdio.h>

#define N 200

int main(void)
{
    int steps[N];
    unsigned long peak[N];
#pragma acc parallel loop copyout(steps, peak)
    for (int i = 0; i < N; i++) {
        unsigned long x = (unsigned long)i + 1, top = x;
        int n = 0;
        while (x != 1) {
            x = x & 1 ? 3 * x + 1 : x / 2;
            if (x > top)
                top = x;
            n++;
        }
        steps[i] = n;
        peak[i] = top;
    }
    for (int i = 0; i < N; i++)
        printf("%d %lu\n", steps[i], peak[i]);
    return 0;
}
