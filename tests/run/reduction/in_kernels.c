// Reductions in kernels: by clause, and found by analysis of a plain loop.
// launches: 2
#include <stdio.h>

#define N 640

int main(void)
{
    int a[N], s = 0, m = -1, plain = 0;
    for (int i = 0; i < N; i++)
        a[i] = i * 271 % 1009;
#pragma acc kernels loop copyin(a) reduction(+:s)
    for (int i = 0; i < N; i++)
        s += a[i];
#pragma acc kernels copyin(a)
    {
#pragma acc loop reduction(max:m)
        for (int i = 0; i < N; i++)
            m = a[i] > m ? a[i] : m;
        for (int i = 0; i < N; i++)
            plain += a[i] & 1;
    }
    printf("%d %d %d\n", s, m, plain);
    return 0;
}
