// Scalars whose address others know, in loops of kernels that are said to be independent: each iteration has its own, and the
// last value is the one of the last iteration.
#include <stdio.h>

static double *known;
static double global;
static int calls;

static void seed(double *x)
{
    known = x;
    *x = 1;
}

static void next(double *x, double a)
{
    *x = *x * a + 1;
}

static void start(double *x, int i)
{
    *x = i;
}

static int count(int *n)
{
    return ++*n;
}

int main(void)
{
    enum { N = 1000 };
    static double y[N], z[N], g[30][40];
    double t, u, sum = 0;
    int k, m, n = N;
    seed(&t);
    count(&k);
#pragma acc kernels copyout(y, z)
    {
#pragma acc loop independent
        for (int i = 0; i < N; i++) {
            t = i;
            for (int r = 0; r < 5; r++)
                t = t * 0.5 + r;
            y[i] = t * t;
        }
#pragma acc loop independent
        for (int i = N - 1; i >= 0; i -= 3) {
            k = i * 2;
            if (k > 10)
                k -= 7;
            z[i] = k;
            z[i - (i > 0)] = k;
        }
    }
    printf("%.12g %.12g %d\n", t, *known, k);
    for (int i = 0; i < N; i += 3)
        sum += y[i] + 3 * z[(N - 1) % 3 + i - (i == N - 1) * 1 < N ? (N - 1) % 3 + i : 0];
    printf("%.12g\n", sum);
    // Functions that get the address, a global, and what is read behind the loop only.
#pragma acc kernels loop independent copyout(y) gang vector
    for (int i = 0; i < n; i++) {
        start(&t, i);
        next(&t, 0.25);
        next(&t, 0.5);
        global = t + 1;
        m = i;
        y[i] = global * m;
    }
    calls++;
    printf("%.12g %.12g %d\n", *known, global, m);
    // Two dimensions, also collapsed; a loop that never runs.
#pragma acc kernels copy(g)
    {
#pragma acc loop independent collapse(2)
        for (int i = 29; i > 0; i--)
            for (int j = 0; j <= 38; j += 2) {
                u = i * j;
                g[i][j] = u + 1;
            }
    }
    printf("%g\n", u);
#pragma acc kernels loop independent copy(y)
    for (int i = 0; i < n - N; i++) {
        t = i;
        y[i] = t;
    }
#pragma acc kernels loop independent copy(g)
    for (unsigned i = 0; i != 30; i += 2) {
        t = i;
#pragma acc loop independent
        for (long j = 39; j >= 0; j--) {
            u = t * j;
            g[i][j] += u;
        }
    }
    sum = 0;
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 40; j++)
            sum = sum * 0.99 + g[i][j];
    printf("%g %.12g\n", t, sum);
    sum = 0;
    for (int i = 0; i < N; i++)
        sum = sum * 0.99 + y[i];
    printf("%.12g %d %g\n", sum, calls, *known);
    return 0;
}
