// After a parallel region that changes an implicitly firstprivate scalar the host's value is unchanged.
// cflags: -Wno-openacc-lost-value
// expect-output: scalar_in_parallel_unchanged.expect
// launches: 3
#include <stdio.h>

int main(void)
{
    int n = 5, k = 1, out = 0;
#pragma acc parallel num_gangs(1) copy(out)
    {
        n = 100;
        out = n;
    }
#pragma acc serial copy(out)
    {
        k += 10;
        out += k;
    }
    int own = 4;
#pragma acc parallel loop firstprivate(own)
    for (int i = 0; i < 10; i++)
        own += i;
    printf("%d %d %d %d\n", n, k, out, own);
    return 0;
}
