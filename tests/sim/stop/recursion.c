// A recursion without an end.
// finds: stack overflow
// finds: in function depth
#include <stdio.h>

#pragma acc routine seq
static int depth(int n)
{
    int below[8];
    below[n & 7] = n;
    return n == -1 ? 0 : 1 + depth(n + 1) + below[n & 7]; // found here
}

int main(void)
{
    int out[4];
#pragma acc parallel loop copyout(out)
    for (int i = 0; i < 4; i++)
        out[i] = depth(i);
    printf("%d\n", out[3]);
}
