// Square roots by 32 Newton steps, double, 2^20 elements: bound by arithmetic (division).
#include "bench.h"

static void run(int n, const double *restrict x, double *restrict y)
{
#ifdef _OPENMP
#pragma omp parallel for SIMD
#else
#pragma acc parallel loop present(x[0:n], y[0:n])
#endif
    for (int i = 0; i < n; i++) {
        double v = x[i], r = 0.5 * (1 + v);
        for (int k = 0; k < 32; k++)
            r = 0.5 * (r + v / r);
        y[i] = r;
    }
}

int main(void)
{
    int n = 1 << 20, right = 1;
    size_t bytes = (size_t)n * sizeof(double);
    double *x = get(bytes), *y = get(bytes), best = 1e9;
    for (int i = 0; i < n; i++)
        x[i] = i + 1;
#pragma acc data copyin(x[0:n]) copyout(y[0:n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        run(n, x, y);
        best = smaller(best, now() - begin);
    }
    for (int i = 0; i < n; i++)
        right &= close_to(y[i], sqrt(x[i]), 1e-14);
    return report("newton", best, 2.0 * (double)bytes, right);
}
