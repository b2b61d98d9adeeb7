// Pointers to the end of present data lead to the end of the device's copy; sections without elements attach members to what is present.
// cflags: -fopenmp
#include <stdio.h>
#include <stdlib.h>

enum { n = 96 };
static int failed;

static void check(const char *what, double got, double expected)
{
    if (got != expected) printf("%s: %g instead of %g\n", what, got, expected), failed = 1;
}

static double by_pointer(const double *b, const double *e)
{
    double s = 0;
#pragma omp target map(tofrom: s)
    for (const double *p = b; p != e; p++) s += *p;
    return s;
}

static double by_while(double *b, double *e)
{
    double s = 0;
#pragma omp target map(tofrom: s)
    {
        double *p = e;
        while (p > b) s += *--p;
    }
    return s;
}

static void from_behind(double *e, int count)
{
#pragma omp target teams distribute parallel for
    for (int i = 1; i <= count; i++) e[-i] *= 2;
}

static void between(double *b, double *e)
{
#pragma omp target teams distribute parallel for
    for (double *p = b; p < e; p++) *p += 1;
}

struct range { double *b, *e; };

static double of_members(struct range r, int how)
{
    double s = 0;
    switch (how) {
    case 0:
#pragma omp target map(to: r.b[:0], r.e[:0]) map(tofrom: s)
        for (double *p = r.b; p < r.e; p++) s += *p;
        break;
    case 1:
#pragma omp target map(to: r, r.e[:0]) map(tofrom: s)
        for (int i = 1; i <= n; i++) s += r.e[-i];
        break;
    case 2:
#pragma omp target map(to: r.b, r.b[:0]) map(to: r.e, r.e[:0]) map(tofrom: s)
        while (r.b < r.e) s += *r.b++;
        break;
    default:;
#pragma omp target enter data map(to: r) map(to: r.b[:0], r.e[:0])
#pragma omp target map(tofrom: s)
        for (long i = 0; i < r.e - r.b; i++) s += r.b[i];
#pragma omp target exit data map(release: r.b[:0], r.e[:0]) map(release: r)
    }
    return s;
}

int main(void)
{
    double *a = malloc(n * sizeof *a), *e = a + n, s = 0, sum = n * (n - 1) / 2;
    for (int i = 0; i < n; i++) a[i] = i;
#pragma omp target enter data map(to: a[:n])
    check("pointer", by_pointer(a, a + n), sum);
    check("while", by_while(a, a + n), sum);
    for (int how = 0; how < 4; how++) check("members", of_members((struct range){a, a + n}, how), sum);
    from_behind(a + n, n);
    between(a, a + n);
    check("changed", by_pointer(a, a + n), 2 * sum + n);
#pragma omp target map(tofrom: s) firstprivate(e)
    for (int i = 0; a + i != e; i++) s += e[-i - 1];
    check("firstprivate", s, 2 * sum + n);
    long length = 0;
#pragma omp target data use_device_ptr(a, e)
    {
        length = e - a;
        s = 0;
#pragma omp target is_device_ptr(a, e) map(tofrom: s)
        for (; a < e; a++) s += *a;
    }
    check("length", length, n);
    check("is_device_ptr", s, 2 * sum + n);
#pragma omp target exit data map(from: a[:n])
    s = 0;
    for (int i = 0; i < n; i++) s += a[i];
    check("copied", s, 2 * sum + n);
    return failed;
}
