// Inner bounds that depend on the outer induction variable.
#include <stdio.h>

#define N 40

int main(void)
{
    static int a[N][N];
    int count[N];
#pragma acc parallel loop gang copy(a) copyout(count)
    for (int i = 0; i < N; i++) {
        int c = 0;
#pragma acc loop vector
        for (int j = 0; j <= i; j++)
            a[i][j] = i * j;
#pragma acc loop vector reduction(+:c)
        for (int j = i + 1; j < N; j++)
            c += j % 3;
        count[i] = c;
    }
    long s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            s += a[i][j] * (j + 1L);
    printf("%ld %d %d %d\n", s, count[0], count[20], count[39]);
    return 0;
}
