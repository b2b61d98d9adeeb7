// Counters that are declared in front of a construct and named by its `private` clause: loops inside count as without the clause.
#include <stdio.h>

enum { N = 200, M = 300 };

static int a[N][M], x[M], y[N], z[N];

int main(void)
{
    int i, j, k, s;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            a[i][j] = (i * 7 + j * 3) % 11 - 5;
    for (j = 0; j < M; j++)
        x[j] = j % 5;
#pragma acc parallel loop private(j, s) copyin(a, x) copyout(y)
    for (i = 0; i < N; i++) {
        s = 0;
        for (j = 0; j < M; j++)
            s += a[i][j] * x[j];
        y[i] = s;
    }
#pragma acc kernels loop independent private(j, k, s) copyin(a, x) copyout(z)
    for (i = 0; i < N; i++) {
        s = 1;
        for (j = 0; j < M; j++)
            if (x[j] > 1)
                for (k = 0; k < 3; k++)
                    s += a[(i + k) % N][j];
        z[i] = s;
    }
#pragma acc parallel loop gang private(j) copy(a) copyin(y)
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            a[i][j] += y[i] + j;
    long sum = 0;
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++)
            sum = (sum * 3 + a[i][j] + y[i] - z[i]) % 1000003;
    // What the variable is behind the constructs is what the host has made it.
    printf("%ld %d %d\n", sum, i, j);
    return 0;
}
