// reduction on parallel together with an inner gang loop that reduces the same variable.
#include <stdio.h>

int main(void)
{
    int s = 4;
#pragma acc parallel num_gangs(6) reduction(+:s)
    {
#pragma acc loop gang reduction(+:s)
        for (int i = 0; i < 120; i++)
            s += i;
    }
    printf("%d\n", s);
    return 0;
}
