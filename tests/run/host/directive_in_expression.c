// Regions in statement expressions, beside what only the host understands.
#include <stdio.h>

static int twice(int n)
{
    return ({
        int v = n;
#pragma acc parallel copy(v)
        v *= 2;
        v;
    });
}

static int through(int n)
{
    int unknown = ({ int w = n + 1; __asm__("" : "+r"(w)); w; });
#pragma acc parallel copy(unknown)
    unknown++;
    return ({ int v = unknown; __asm__("" : "+r"(v)); v; });
}

int main(void)
{
    printf("%d %d\n", twice(21), through(5));
    return 0;
}
