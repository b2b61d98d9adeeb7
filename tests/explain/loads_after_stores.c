// Grids that cover their loops: a load that comes after a store waits for it, unless the launch knows that they do not meet.
#include <math.h>

enum { N = 1000 };

static void two(int n, const float *restrict x, float *restrict first, float *restrict second)
{
#pragma acc parallel loop present(x[0:n], first[0:n], second[0:n])
    for (int i = 0; i < n; i++) {
        first[i] = erff(2 * x[i]) + logf(x[i] + 2) * expf(-x[i]);
        second[i] = erff(x[i]);
    }
}

static void best(unsigned long n, int *from, int *to, unsigned long back)
{
#pragma acc parallel loop gang vector present(from[0:n], to[0:n])
    for (unsigned long c = 0; c < n; c++) {
        to[c] = from[c];
        if (c >= back && from[c - back] > to[c])
            to[c] = from[c - back];
    }
}

#define COPY(to, from) to[j][i] = from[j][i]

static void rows(double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N])
{
#pragma acc parallel loop collapse(2) present(a[0:N], b[0:N], c[0:N])
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            COPY(b, a);
            COPY(c, a);
        }
}

// Here all loads come first, and one version is all there is.
static void first(int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        y[i] = erff(2 * x[i]) + logf(x[i] + 2) * expf(-x[i]);
}

static float x[N], y[N], z[N];
static int f[N], t[N];
static double a[N][N], b[N][N], c[N][N];

int main(void)
{
#pragma acc data copyin(x, f, a) create(y, z, t, b, c)
    {
        two(N, x, y, z);
        best(N, f, t, 3);
        rows(a, b, c);
        first(N, x, y);
    }
    return 0;
}
