// Loops of `kernels` that call functions: of numbers, that read and write what their arguments lead to, that call others; and those that may
// not run in parallel: functions that count, that write what another iteration reads, that change a variable of the loop's surroundings.
// launches: 9
#include <math.h>
#include <stdio.h>

enum { N = 500 };
static double a[N], b[N][3], c[N][3], d[N + 1];
static int calls, found[N];

static double square(double x)
{
    double y = x * x;
    y += 1;
    return y;
}

static double length(const double *p) { return sqrt(square(p[0]) + square(p[1]) + square(p[2])); }

static void cross(double *r, const double *p, const double *q)
{
    for (int k = 0; k < 3; k++)
        r[k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
}

static int counted(int x)
{
    calls++;
    return x + calls;
}

static void next(double *p) { p[1] = p[0] + 1; }

static void more(double *s, double x) { *s += x; }

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static double sum(const double *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * (i % 7 + 1);
    return s;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = i % 17;
        for (int k = 0; k < 3; k++)
            b[i][k] = (i + k) % 5;
    }
    double all = 0;
#pragma acc kernels copy(a)
    for (int i = 0; i < N; i++)
        a[i] = square(a[i]) - i;
#pragma acc kernels copy(a) copyin(b)
    for (int i = 0; i < N; i++)
        a[i] += length(b[i]);
#pragma acc kernels copyin(b) copy(c)
    for (int i = 0; i < N; i++) {
        double r[3], axis[3] = { 1, 2, 3 };
        cross(r, b[i], axis);
        for (int k = 0; k < 3; k++)
            c[i][k] = r[k];
    }
#pragma acc kernels copyin(b) copy(c)
    for (int i = 0; i < N; i++)
        cross(c[i], b[i], b[N - 1 - i]);
#pragma acc kernels copy(found, calls)
    for (int i = 0; i < N; i++)
        found[i] = counted(i);
#pragma acc kernels copy(d)
    for (int i = 0; i < N; i++)
        next(d + i);
#pragma acc kernels copy(all) copyin(a)
    for (int i = 0; i < N; i++)
        more(&all, a[i]);
    printf("%d %.10e\n", calls, all);
    long total = 0;
    for (int i = 0; i < N; i++)
        total += found[i] * (i % 3);
    printf("%ld %.10e %.10e %.10e\n", total, sum(a, N), sum(c[0], 3 * N), sum(d, N + 1));
#pragma acc kernels copy(found)
    for (int i = 0; i < 20; i++)
        found[i] = even(i);
#pragma acc kernels copy(a)
    for (int i = 0; i < N; i++) {
        double s = a[i];
        more(&s, i);
        a[i] = s;
    }
    printf("%d %d %.10e\n", found[4], found[7], sum(a, N));
}
