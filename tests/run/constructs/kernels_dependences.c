// kernels: loops that carry dependences keep their order, those that do not may run in parallel.
#include <stdio.h>

#define N 200

int main(void)
{
    int a[N], b[N], c[N][8], idx[N];
    for (int i = 0; i < N; i++) {
        a[i] = i;
        idx[i] = i / 2;
        b[i] = 0;
    }
#pragma acc kernels copy(a, b) copyout(c) copyin(idx)
    {
        for (int i = 1; i < N; i++)
            a[i] = a[i - 1] + i % 3;
        for (int i = 0; i < N; i++)
            b[idx[i]] = b[idx[i]] * 2 + a[i];
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 8; k++)
                c[i][k] = k == 0 ? a[i] : c[i][k - 1] + b[i];
        for (int i = 0; i < N - 1; i++)
            a[i] = a[i + 1];
        for (int i = N - 1; i >= 2; i--)
            b[i] = b[i - 2] + 1;
    }
    long s = 0;
    for (int i = 0; i < N; i++)
        s = (s * 31 + a[i] + b[i] * 7L + c[i][7]) % 1000000007;
    printf("%ld %d %d\n", s, a[0], b[199]);
    return 0;
}
