// The reduction variable is updated inside inner sequential loops and helper results.
#include <stdio.h>

static int weight(int i, int k) { return i > k ? i - k : 2 * k; }

int main(void)
{
    long s = 0;
#pragma acc parallel loop gang vector reduction(+:s)
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < i % 10; k++) {
            s += weight(i, k);
            for (int m = 0; m < 3; m++)
                s += m;
        }
    }
    printf("%ld\n", s);
    return 0;
}
