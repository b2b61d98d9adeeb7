// Loops of `kernels` that call functions: with structs that are passed and returned by value, with pointers that these move by hand or
// choose, with globals that they read; and those that may not run in parallel, since a function writes what another iteration uses.
// launches: 11
#include <stdio.h>

enum { N = 300 };
typedef struct { double re, im; } complex_number;
typedef struct { double x[3]; } vector;

static complex_number z[N];
static vector v[N];
static double a[N], b[N + 4], scale = 1.5, last[2];
static const double weights[4] = {1, 0.5, 0.25, 0.125};
static double limits[2] = {3, 40};
#pragma acc declare copyin(scale, limits, last)

static complex_number product(complex_number p, complex_number q)
{
    complex_number r = {p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re};
    return r;
}

static vector of(double x) { return (vector){{x, 2 * x, 3 * x}}; }

static vector sum_of(vector p, vector q)
{
    for (int k = 0; k < 3; k++)
        p.x[k] += q.x[k];
    return p;
}

static double weight(int k) { return weights[k & 3]; }

static double polynomial(const double *c, int n, double x)
{
    double r = 0;
    for (const double *p = c + n; p != c;)
        r = r * x + *--p;
    return r;
}

static double larger_of(const double *p, const double *q)
{
    const double *r = *p > *q ? p : q;
    return *r;
}

static double limited(double x) { return x < limits[0] ? limits[0] : x > limits[1] ? limits[1] : x * scale; }

static void spread(double *p, double x)
{
    for (double *q = p, *end = p + 5; q < end; q++)
        *q = *q * 0.5 + x;
}

static double remembered(double x)
{
    double before = last[0];
    last[0] = x;
    return before;
}

static double total(const double *p, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p[i] * (i % 7 + 1);
    return s;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        z[i] = (complex_number){i % 5, 1};
        a[i] = i % 17;
    }
#pragma acc kernels copy(z)
    for (int i = 0; i < N; i++)
        z[i] = product(z[i], z[i]);
#pragma acc kernels copy(z)
    for (int i = 0; i < N / 2; i++)
        z[i] = product(z[i], z[N - 1 - i]);
#pragma acc kernels copy(v) copyin(a)
    for (int i = 0; i < N; i++)
        v[i] = sum_of(of(a[i]), sum_of(v[i], of(i)));
#pragma acc kernels copy(a)
    for (int i = 0; i < N; i++)
        a[i] += weight(i);
#pragma acc kernels copy(a)
    for (int i = 0; i < N; i++) {
        double c[3] = {1, i, 0.01};
        a[i] += polynomial(c, 3, a[i]);
    }
#pragma acc kernels copyin(a) copy(b)
    for (int i = 1; i < N; i++)
        b[i] += larger_of(&a[i - 1], &a[i]);
#pragma acc kernels copy(b)
    for (int i = 0; i < N; i++)
        b[i] = limited(b[i]);
    printf("%.10e %.10e %.10e %.10e\n", total(&z[0].re, 2 * N), total(v[0].x, 3 * N), total(a, N), total(b, N));
    // Each one writes what the next one reads.
#pragma acc kernels copy(b) copyin(a)
    for (int i = 0; i < N; i++)
        spread(b + i, a[i]);
#pragma acc kernels copy(b)
    for (int i = 0; i < N; i++)
        b[i] += remembered(b[i]);
    // The function reads what the loop writes.
#pragma acc kernels
    for (int i = 0; i < 20; i++)
        limits[i & 1] = limited(limits[0]) + i;
#pragma acc kernels copy(a)
    for (int i = 0; i < 20; i++)
        a[i] = scale = limited(i) * 0.1;
#pragma acc update self(limits, scale)
    printf("%.10e %.10e %.10e %.10e\n", total(a, N), total(b, N), total(limits, 2), scale);
}
