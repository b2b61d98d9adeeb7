// Sum of double _Complex, 2^27.
#include "common.h"
#include <complex.h>

static double complex sum(int n, const double complex *a)
{
    double complex s = 0;
#pragma acc parallel loop reduction(+:s) present(a[0:n])
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    double complex *a = get((size_t)n * sizeof *a), s = 0;
#pragma acc enter data create(a[0:n])
#pragma acc parallel loop present(a[0:n])
    for (int i = 0; i < n; i++)
        a[i] = REDUCED(i, n) + (i % 5 - 1) * I;
    struct watch w = watch(args.repeats);
    while (lap(&w))
        s = sum(n, a);
    row("sum_complex", n, w, 16.0 * n, 'B', (long long)(creal(s) + 2 * cimag(s)));
    return 0;
}
