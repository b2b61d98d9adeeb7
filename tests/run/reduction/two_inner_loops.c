// Two inner vector loops reduce the same variable inside a gang loop that reduces it, too.
#include <stdio.h>

int main(void)
{
    int s = 0;
#pragma acc parallel loop gang reduction(+:s)
    for (int i = 0; i < 30; i++) {
#pragma acc loop vector reduction(+:s)
        for (int j = 0; j < 20; j++)
            s += i * j;
        s += 7;
#pragma acc loop vector reduction(+:s)
        for (int j = 0; j < 11; j++)
            s -= j;
    }
    printf("%d\n", s);
    return 0;
}
