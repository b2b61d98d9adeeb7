// Pointers to the end of present data lead to the end of the device's copy.
#include <stdio.h>
#include <stdlib.h>

enum { n = 96 };
static int failed;

static void check(const char *what, double got, double expected)
{
    if (got != expected) printf("%s: %g instead of %g\n", what, got, expected), failed = 1;
}

static double serially(float *b, float *e)
{
    double s = 0;
#pragma acc serial copy(s) present(b)
    for (float *p = b; p != e; p++) s += *p;
    return s;
}

static double in_parallel(float *b, float *e)
{
    double s = 0;
#pragma acc parallel loop reduction(+: s) present(b)
    for (float *p = b; p < e; p++) s += *p;
    return s;
}

static double in_kernels(float *e, int count)
{
    double s = 0;
#pragma acc kernels loop independent reduction(+: s) copyin(e[-count:count])
    for (int i = -count; i < 0; i++) s += e[i];
    return s;
}

struct range { float *b, *e; };

static double of_members(struct range r)
{
    double s = 0;
#pragma acc enter data copyin(r) attach(r.b, r.e)
#pragma acc parallel loop reduction(+: s) present(r)
    for (float *p = r.b; p < r.e; p++) s += *p;
#pragma acc exit data detach(r.b, r.e) delete(r)
    return s;
}

int main(void)
{
    float *a = malloc(n * sizeof *a);
    double sum = n * (n - 1) / 2;
    for (int i = 0; i < n; i++) a[i] = i;
#pragma acc enter data copyin(a[:n])
    check("serial", serially(a, a + n), sum);
    check("parallel", in_parallel(a, a + n), sum);
    check("kernels", in_kernels(a + n, n), sum);
    check("members", of_members((struct range){a, a + n}), sum);
#pragma acc exit data delete(a[:n])
    return failed;
}
