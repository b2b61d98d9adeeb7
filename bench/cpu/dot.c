// Dot product, double, 2^23 elements: bound by memory, with a reduction.
#include "bench.h"

static double run(int n, const double *restrict a, const double *restrict b)
{
    double s = 0;
#ifdef _OPENMP
#pragma omp parallel for SIMD reduction(+:s)
#else
#pragma acc parallel loop present(a[0:n], b[0:n]) reduction(+:s)
#endif
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

int main(void)
{
    int n = 1 << 23;
    size_t bytes = (size_t)n * sizeof(double);
    double *a = get(bytes), *b = get(bytes), expected = 0, best = 1e9, s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = i % 100;
        b[i] = i % 7 - 3;
        expected += a[i] * b[i];
    }
#pragma acc data copyin(a[0:n], b[0:n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        s = run(n, a, b);
        best = smaller(best, now() - begin);
    }
    return report("dot", best, 2.0 * (double)bytes, s == expected);
}
