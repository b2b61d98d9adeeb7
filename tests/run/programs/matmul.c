// Matrix product, four ways of partitioning the loops.
// launches: 4
#include <stdio.h>
#include <string.h>

#define N 48

static double a[N][N], b[N][N], c[N][N], first[N][N];

static int same(void) { return memcmp(c, first, sizeof c) == 0; }

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i + 2 * j) % 9;
            b[i][j] = (i * j) % 7;
        }
#pragma acc parallel loop collapse(2) copyin(a, b) copyout(first)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            first[i][j] = s;
        }
#pragma acc parallel loop gang copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++) {
#pragma acc loop worker
        for (int j = 0; j < N; j++) {
            double s = 0;
#pragma acc loop vector reduction(+:s)
            for (int k = 0; k < N; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
    }
    printf("%d ", same());
#pragma acc parallel loop gang copyin(a, b) copyout(c)
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            c[i][j] = 0;
        for (int k = 0; k < N; k++) {
#pragma acc loop vector
            for (int j = 0; j < N; j++)
                c[i][j] += a[i][k] * b[k][j];
        }
    }
    printf("%d ", same());
    memset(c, 0, sizeof c);
#pragma acc kernels copyin(a, b) copy(c)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
    printf("%d %.10g\n", same(), c[17][31]);
    return 0;
}
