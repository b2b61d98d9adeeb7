// + on float and double; all partial sums are exact, so the order does not matter.
// launches: 2
#include <stdio.h>

int main(void)
{
    float f = 10;
    double d = -0.5;
#pragma acc parallel loop reduction(+:f)
    for (int i = 0; i < 2000; i++)
        f += (float)(i % 11);
#pragma acc parallel loop gang vector reduction(+:d)
    for (int i = 0; i < 100000; i++)
        d += i * 0.25;
    printf("%.10g %.10g\n", f, d);
    return 0;
}
