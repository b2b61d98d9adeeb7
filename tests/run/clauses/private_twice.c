// A variable that is in `private` clauses twice is private.
// cflags: -w
// launches: 1
#include <stdio.h>

int main(void)
{
    int t = 7, few[3], out[50];
#pragma acc parallel loop private(t, few, t) private(few) copyout(out)
    for (int i = 0; i < 50; i++) {
        t = i * 3;
        for (int k = 0; k < 3; k++) few[k] = t + k;
        out[i] = few[0] + few[2] - t;
    }
    long sum = 0;
    for (int i = 0; i < 50; i++) sum += out[i] * (i + 1);
    printf("%ld\n", sum);
    return 0;
}
