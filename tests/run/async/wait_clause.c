// The wait clause orders a region after work on other queues.
// launches: 4
#include <stdio.h>

#define N 5000

int main(void)
{
    static int a[N], b[N], c[N];
#pragma acc data create(a, b) copyout(c)
    {
#pragma acc parallel loop async(1) present(a)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma acc parallel loop async(2) present(b)
        for (int i = 0; i < N; i++)
            b[i] = 2 * i;
#pragma acc parallel loop async(3) wait(1, 2) present(a, b, c)
        for (int i = 0; i < N; i++)
            c[i] = a[i] + b[N - 1 - i];
#pragma acc parallel loop wait(3) present(c)
        for (int i = 0; i < N; i++)
            c[i] += 1;
    }
    long s = 0;
    for (int i = 0; i < N; i++)
        s += c[i] * (i % 5L);
    printf("%ld\n", s);
    return 0;
}
