// Four million contributions.
#include <stdio.h>

int main(void)
{
    unsigned long s = 0;
    double d = 0;
#pragma acc parallel loop reduction(+:s, d)
    for (int i = 0; i < 4000000; i++) {
        s += (unsigned long)i * 3;
        d += i & 7;
    }
    printf("%lu %.10g\n", s, d);
    return 0;
}
