// A private variable is reduced by an inner loop and reset in each iteration; another is reduced outside.
#include <stdio.h>

int main(void)
{
    int t, s = 0, out[25];
#pragma acc parallel loop gang private(t) copyout(out) reduction(+:s)
    for (int i = 0; i < 25; i++) {
        t = i;
#pragma acc loop worker reduction(+:t)
        for (int j = 0; j < i; j++)
            t += j;
        out[i] = t;
        s += t;
    }
    for (int i = 0; i < 25; i++)
        printf("%d ", out[i]);
    printf("%d\n", s);
    return 0;
}
