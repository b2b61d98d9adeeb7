// Several reductions with different operators and types on one loop, also several in one clause.
#include <stdio.h>

int main(void)
{
    int s = 1, t = 2, mx = 0;
    double d = 0.5, mn = 1e9;
    unsigned x = 0;
    char any = 0;
#pragma acc parallel loop reduction(+:s, t, d) reduction(max:mx) reduction(min:mn) reduction(^:x) reduction(||:any)
    for (int i = 0; i < 1234; i++) {
        int v = i * 37 % 401;
        s += v;
        t -= i;
        d += v * 0.5;
        if (v > mx)
            mx = v;
        if (v - 200.5 < mn)
            mn = v - 200.5;
        x ^= (unsigned)v << (i % 20);
        any = any || v == 400;
    }
    printf("%d %d %g %d %g %u %d\n", s, t, d, mx, mn, x, any);
    return 0;
}
