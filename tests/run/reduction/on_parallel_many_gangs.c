// reduction on parallel with 8 gangs counts the gangs (a plain compiler counts one).
// expect-output: on_parallel_many_gangs.expect
#include <stdio.h>

int main(void)
{
    int s = 100, m = 0;
#pragma acc parallel num_gangs(8) reduction(+:s) reduction(max:m)
    {
        s += 2;
        m = m > 7 ? m : 7;
    }
    printf("%d %d\n", s, m);
    return 0;
}
