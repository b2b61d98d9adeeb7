// STREAM triad, double, 2^23 elements: a = b + s c.
#include "bench.h"

static void run(int n, double *restrict a, const double *restrict b, const double *restrict c, double s)
{
#ifdef _OPENMP
#pragma omp parallel for SIMD
#else
#pragma acc parallel loop present(a[0:n], b[0:n], c[0:n])
#endif
    for (int i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

int main(void)
{
    int n = 1 << 23, right = 1;
    size_t bytes = (size_t)n * sizeof(double);
    double *a = get(bytes), *b = get(bytes), *c = get(bytes), best = 1e9;
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        b[i] = i;
        c[i] = i % 9;
    }
#pragma acc data copyin(b[0:n], c[0:n]) copyout(a[0:n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        run(n, a, b, c, 3);
        best = smaller(best, now() - begin);
    }
    for (int i = 0; i < n; i++)
        right &= a[i] == i + 3.0 * (i % 9);
    return report("triad", best, 3.0 * (double)bytes, right);
}
