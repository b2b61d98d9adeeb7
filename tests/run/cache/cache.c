// The cache directive changes no result.
#include <stdio.h>

#define N 200

int main(void)
{
    double a[N], b[N], m[8][8], *p = a;
    for (int i = 0; i < N; i++)
        a[i] = i;
    for (int i = 0; i < 64; i++)
        m[i / 8][i % 8] = i;
#pragma acc parallel loop copyin(p[0:N], m) copyout(b)
    for (int i = 0; i < N; i++) {
#pragma acc cache(p[i - 1:3], m[0:8][0:8])
        if (i > 0 && i < N - 1)
            b[i] = p[i - 1] + p[i] + p[i + 1] + m[i % 8][(i / 8) % 8];
        else
            b[i] = -1;
        for (int k = 0; k < 2; k++) {
#pragma acc cache(readonly: m[k])
            b[i] += m[k][i % 8];
        }
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += b[i];
    printf("%g\n", sum);
    return 0;
}
