// Two pointers to the same memory: what lanes have stored through one is there behind the loop for those that load through the
// other, and loads come before stores that follow them.
#include <stdio.h>

enum { N = 256 };

static void reversed(int *a, int *b, int *c)
{
#pragma acc parallel num_gangs(1) vector_length(128) copy(a[0:N], b[0:N]) copyout(c[0:N])
    {
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            b[i] = 3 * i;
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            c[i] = a[N - 1 - i];
#pragma acc loop vector
        for (int i = 0; i < N; i++)
            b[i] = c[i] + 1;
    }
}

static void alone(int *a, int *b)
{
#pragma acc serial copy(a[0:N], b[0:N])
    for (int i = 0; i < N - 5; i++)
        if (a[i] % 2)
            b[i + 5] = a[i] + 3;
        else
            b[i] += a[i + 5];
}

static void mixed(int *a, int *b, int *sums)
{
#pragma acc parallel loop gang num_gangs(4) vector_length(64) copy(a[0:N], b[0:N]) copyout(sums[0:4])
    for (int g = 0; g < 4; g++) {
        b[g * 64] = 100 + g;
        int s = 0;
#pragma acc loop vector reduction(+ : s)
        for (int i = 0; i < 64; i++)
            s += a[g * 64] + i;
        b[g * 64 + 1] = s;
#pragma acc loop vector
        for (int i = 2; i < 64; i++)
            b[g * 64 + i] = a[g * 64 + 1] - i;
        sums[g] = a[g * 64 + 63];
    }
}

int main(void)
{
    int a[N], c[N], sums[4];
    long sum = 0;
    for (int i = 0; i < N; i++)
        a[i] = -1;
    reversed(a, a, c);
    printf("%d %d %d %d\n", a[0], a[N - 1], c[0], c[100]);
    alone(a, a);
    mixed(a, a, sums);
    for (int i = 0; i < N; i++)
        sum += (long)a[i] * i;
    printf("%ld %d %d\n", sum, sums[0], sums[3]);
    return 0;
}
