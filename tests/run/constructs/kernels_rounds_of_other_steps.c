// Loops in order of kernels constructs around loops that run in parallel: with steps other than one and no iterations, counters of few
// bits, downwards and up to a number that they are not to reach.
#include <stdio.h>

enum { N = 600 };

static long a[N];

static void up(int n, int m)
{
#pragma acc kernels
    for (int t = 2; t <= n; t += 2) {
        for (int j = 0; j < m; j++)
            a[j] = a[j] * 2 + t;
        a[t] = a[t] + a[0];
    }
}

static void up_unsigned(unsigned long n, unsigned m)
{
#pragma acc kernels
    for (unsigned long t = 5; t < n; t += 3)
        for (unsigned j = 0; j < m; j++)
            a[j] = a[j] * 3 + t;
}

static void down(long n, int m)
{
#pragma acc kernels
    for (long t = n; t > 0; t -= 3)
        for (int j = 0; j < m; j++)
            a[j] -= t * j;
}

static void short_down(int n, int m)
{
#pragma acc kernels
    for (short t = n; t >= 0; t--)
        for (int j = 0; j < m; j++)
            a[j] = a[j] * 3 + t;
}

static void short_up(int n, int m)
{
#pragma acc kernels
    for (short t = 0; t != n; t++)
        for (int j = 0; j < m + (t & 7); j++)
            a[j] = a[j] * 3 + t;
}

static void byte_up(unsigned char n, int m)
{
#pragma acc kernels
    for (unsigned char t = 0; t < n; t += 2)
        for (int j = 0; j < m; j++)
            a[j] ^= t << j % 9;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int n = 0; n < 9; n++) {
        for (int m = 0; m < N - 10; m += 500) {
            up(n, m);
            up_unsigned(n, m);
            down(n, m);
            short_down(n, m);
            short_up(n, m);
            byte_up(n, m);
        }
        unsigned long sum = 0;
        for (int i = 0; i < N; i++)
            sum = sum * 31 + a[i];
        printf("%d %lu\n", n, sum);
    }
    return 0;
}
