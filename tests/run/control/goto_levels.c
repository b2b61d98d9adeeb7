// goto in a region around loops that are shared out, and in kernels.
#include <stdio.h>

#define N 100

int main(void)
{
    int a[N] = {0}, b[8][N], s = 0;
#pragma acc parallel num_gangs(1) copy(a)
    {
        int round = 0;
    again:
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            a[i] += i + round;
        if (++round < 5)
            goto again;
    }
#pragma acc parallel loop gang copyout(b)
    for (int g = 0; g < 8; g++) {
        int k = 0;
        if (g == 3)
            goto other;
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            b[g][i] = i;
    more:
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            b[g][i] += g;
        if (++k < g)
            goto more;
        continue;
    other:
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            b[g][i] = -i;
    }
#pragma acc kernels copy(a)
    {
        for (int i = 0; i < N; i++) {
            if (a[i] % 2)
                goto skip;
            a[i] += 10000;
        skip:;
        }
    }
    for (int i = 0; i < N; i++) {
        s += a[i];
        for (int g = 0; g < 8; g++)
            s += (g + 1) * b[g][i];
    }
    printf("%d %d %d %d\n", s, a[1], a[2], b[5][7]);
    return 0;
}
