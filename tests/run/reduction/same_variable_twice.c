// The same variable reduced by one loop after another in one region and in several regions.
// launches: 4
#include <stdio.h>

int main(void)
{
    int s = 5;
#pragma acc parallel copy(s) num_gangs(1)
    {
#pragma acc loop worker reduction(+:s)
        for (int i = 0; i < 100; i++)
            s += i;
#pragma acc loop vector reduction(+:s)
        for (int i = 0; i < 10; i++)
            s += 1000;
#pragma acc loop worker vector reduction(max:s)
        for (int i = 0; i < 10; i++)
            s = s > i * 2000 ? s : i * 2000;
    }
    printf("%d\n", s);
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < 3; i++)
        s += i;
#pragma acc parallel loop reduction(*:s)
    for (int i = 0; i < 3; i++)
        s *= 2;
#pragma acc parallel loop reduction(min:s)
    for (int i = 0; i < 3; i++)
        s = s < 99999 - i ? s : 99999 - i;
    printf("%d\n", s);
    return 0;
}
