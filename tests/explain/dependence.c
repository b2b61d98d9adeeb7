// Loops of kernels constructs that must prove their independence.
#include <stdlib.h>

int twice(int x);
#define N 100

int main(void)
{
    static double a[N], b[N], c[N][N];
    double sum = 0, last = 0;
    double *p = a, *q = b;
#pragma acc kernels
    for (int i = 1; i < N; i++)
        a[i] = a[i - 1] + 1;
#pragma acc kernels
    for (int i = 0; i < N; i++)
        a[i] = b[i] + 1;
#pragma acc kernels
    for (int i = 0; i < N; i++)
        sum += a[i];
#pragma acc kernels copy(p[0:N], q[0:N])
    for (int i = 0; i < N; i++)
        p[i] = q[i] * 2;
#pragma acc kernels
    for (int i = 0; i < N; i++) {
        double t = a[i];
        last = t * t;
        a[i] = last + t;
    }
#pragma acc kernels
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = i + j;
            c[j][i] += 1;
        }
#pragma acc parallel loop auto
    for (int i = 0; i < N - 1; i++) {
        b[i] = 1;
        b[i + 1] = 2;
    }
    return sum < 0 || last < 0;
}
