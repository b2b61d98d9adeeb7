// A gang reduction in a separate loop construct with the variable in a copy clause.
#include <stdio.h>

int main(void)
{
    int s = 7, n = 3000;
    long p = 0;
#pragma acc parallel copy(s, p) num_gangs(13)
    {
#pragma acc loop gang reduction(+:s, p)
        for (int i = 0; i < n; i++) {
            s += i % 10;
            p += (long)i * i;
        }
    }
    printf("%d %ld\n", s, p);
    return 0;
}
