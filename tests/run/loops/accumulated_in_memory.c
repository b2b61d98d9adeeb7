// Sequential loops that add up in memory: apart from what they read, in the middle of it, with loads from anywhere that meet the
// sum or not, two sums at once that are one, counting down, in branches, and without iterations where nothing may be touched.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define N 96

static void columns(size_t n, const double *a, const double *t, double *y)
{
#pragma acc parallel loop present(a[0:n * n], t[0:n], y[0:n])
    for (size_t j = 0; j < n; j++) {
        y[j] = 0;
        for (size_t i = 0; i < n; i++)
            y[j] = y[j] + a[i * n + j] * t[i];
    }
}

// The sum is one of the numbers that are added up: column j of the matrix, and its own place in row j.
static void within(int n, double *a)
{
#pragma acc parallel loop present(a[0:n * n])
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            a[j * n + j] += 0.5 * a[i * n + j];
}

// Rows of a sparse matrix; `x` may be `y`, of which row i reads its own element only.
static void sparse(int n, const int *first, const int *column, const float *value, const float *x, float *y)
{
#pragma acc parallel loop present(first[0:n + 1], column[0:4 * n], value[0:4 * n], x[0:n], y[0:n])
    for (int i = 0; i < n; i++)
        for (int k = first[i]; k < first[i + 1]; k++)
            y[i] += value[k] * x[column[k]];
}

// Two sums, which may be the same one.
static void two(long n, const int *from, int *up, int *down)
{
#pragma acc parallel loop present(from[0:n + 8], up[0:n], down[0:n])
    for (long i = 0; i < n; i++)
        for (long k = 8; k-- > 0;) {
            up[i] += from[i + k];
            if (from[i + k] & 1)
                down[i] ^= up[i];
            down[i] -= 3;
        }
}

// `p[i]` leads to nothing where there is nothing to be added.
static void none(int n, int m, const double *a, double *p)
{
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            p[i] += a[k];
}

// What is added up in branches was set before.
static void chosen(int n, const int *column, const float *value, float *y)
{
#pragma acc parallel loop present(column[0:4 * n], value[0:4 * n], y[0:n])
    for (int i = 0; i < n; i++) {
        y[i] = -1;
        for (int k = 0; k < 4; k++)
            if (column[4 * i + k] % 3)
                y[i] += value[4 * i + k];
    }
}

struct sums {
    float total;
    int count;
};

static void members(int n, const float *a, struct sums *s)
{
#pragma acc parallel loop gang vector present(a[0:n], s[0:n])
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            s[i].total += a[k];
            s[i].count++;
        }
}

// A gang adds up by itself.
static void alone(int n, const double *a, double *y)
{
#pragma acc parallel loop gang num_gangs(4) present(a[0:n * n], y[0:n])
    for (int i = 0; i < n; i++) {
#pragma acc loop seq
        for (int k = 0; k < n; k++)
            y[i] += a[i * n + k];
#pragma acc loop vector
        for (int k = 0; k < 1; k++)
            y[i] *= 0.5;
    }
}

static double sum(int n, const double *v)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s = 0.75 * s + v[i];
    return s;
}

int main(void)
{
    static double a[N * N], t[N], y[N];
    static float value[4 * N], x[N], z[N], w[N];
    static int first[N + 1], column[4 * N], apart[4 * N], from[N + 8], up[N], down[N];
    static struct sums s[N];
    for (int i = 0; i < N * N; i++)
        a[i] = (i * 7 % 64) / 64.0;
    for (int i = 0; i < N; i++)
        t[i] = (i % 16) / 16.0, x[i] = (float)(i % 8), z[i] = 1, up[i] = i, down[i] = -i;
    for (int i = 0; i <= N; i++)
        first[i] = 4 * i;
    for (int i = 0; i < 4 * N; i++)
        apart[i] = i * 29 % N, column[i] = i / 4, value[i] = (float)(i % 4) / 4;
    for (int i = 0; i < N + 8; i++)
        from[i] = i * 13 % 37;
#pragma acc data copy(a, y, z, w, up, down, s) copyin(t, value, x, first, column, apart, from)
    {
        columns(N, a, t, y);
        alone(N, a, y);
        sparse(N, first, apart, value, x, z);
        sparse(N, first, column, value, z, z);
        two(N, from, up, down);
        two(N, from, up, up);
        none(N, 0, a, NULL);
        members(N, x, s);
        chosen(N, apart, value, w);
    }
    double b[N * N];
    for (int i = 0; i < N * N; i++)
        b[i] = a[i];
#pragma acc data copy(b)
    within(N, b);
    double diagonal[N], sums[4] = {0};
    for (int i = 0; i < N; i++) {
        diagonal[i] = b[i * N + i];
        sums[0] += z[i] * (i + 1) + w[i] * i, sums[1] += up[i] ^ i, sums[2] += down[i] * (i % 3), sums[3] += s[i].total * s[i].count;
    }
    printf("%.9g %.9g %.9g\n", sum(N, y), sum(N, diagonal), y[5]);
    printf("%.9g %g %g %.9g\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
