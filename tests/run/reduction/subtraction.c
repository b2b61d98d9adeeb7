// A + reduction whose body subtracts, adds products and uses s = s + x and s = x + s.
#include <stdio.h>

int main(void)
{
    int s = 100;
    double d = 0;
#pragma acc parallel loop reduction(+:s, d)
    for (int i = 0; i < 500; i++) {
        s -= i;
        s = s + 2 * i;
        s = (i & 1) + s;
        if (i % 3 == 0)
            s++;
        d = d + i * 2.0 - 1;
    }
    printf("%d %g\n", s, d);
    return 0;
}
