// A `cache` directive asks for what all lanes read next to what differs from lane to lane: products of matrices and vectors in three
// spellings, with bounds that no tile divides, and one that writes what it asks for.
// launches: 5
#include <stdio.h>

enum { N = 300, M = 141 };

static void flat(int n, int m, const double *restrict a, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop present(a[0:n * m], x[0:m], y[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) {
#pragma acc cache(x[k])
            s += a[i * m + k] * x[k];
        }
        y[i] = s;
    }
}

static void columns(size_t n, size_t m, double (*a)[M], double *x, double *y)
{
#pragma acc parallel loop present(a[0:n][0:m], x[0:n], y[0:m])
    for (size_t j = 0; j < m; j++) {
        y[j] = 0;
#pragma acc loop seq
        for (size_t i = 0; i < n; i++) {
#pragma acc cache(x[i:1])
            y[j] = y[j] + a[i][j] * x[i];
        }
    }
}

static void pointers(unsigned n, unsigned m, const double *a, const double *x, double *y)
{
#pragma acc kernels present(a[0:n * m], x[0:m], y[0:n])
#pragma acc loop independent
    for (unsigned i = 0; i < n; i++) {
        const double *row = a + (size_t)i * m, *end = row + m, *at = x;
        double s = 0;
        while (row < end) {
#pragma acc cache(at[0:1])
            s += *row++ * *at++;
        }
        y[i] = s;
    }
}

static void report(const char *what, int n, const double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += y[i] * (i % 5 + 1);
    printf("%s %.17g\n", what, sum);
}

int main(void)
{
    static double a[N][M], x[N], y[N], z[N];
    for (int i = 0; i < N; i++) {
        x[i] = i % 7 * 0.25;
        for (int k = 0; k < M; k++)
            a[i][k] = (i * 3 + k * 5) % 11 * 0.5;
    }
#pragma acc data copyin(a, x) copy(y, z)
    {
        flat(N, M, a[0], x, y);
#pragma acc update self(y)
        report("flat", N, y);
        columns(N, M, a, x, z);
#pragma acc update self(z)
        report("columns", M, z);
        pointers(N, M, a[0], x, y);
#pragma acc update self(y)
        report("pointers", N, y);
        // What it reads it has written.
#pragma acc parallel loop present(z)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 40; k++) {
#pragma acc cache(z[i:1])
                z[i] = z[i] * 0.5 + k;
            }
#pragma acc update self(z)
        report("own", N, z);
        // A window.
#pragma acc parallel loop present(x, y)
        for (int i = 1; i < N - 1; i++) {
#pragma acc cache(x[i - 1:3])
            y[i] = x[i - 1] + 2 * x[i] + x[i + 1];
        }
#pragma acc update self(y)
        report("window", N, y);
    }
    return 0;
}
