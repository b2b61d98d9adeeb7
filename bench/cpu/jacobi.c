// One sweep of the 5-point stencil with the largest change, double, 2048 × 2048.
#include "bench.h"

static double run(int n, const double *restrict u, double *restrict v)
{
    double change = 0;
#ifdef _OPENMP
#pragma omp parallel for reduction(max:change)
#else
#pragma acc parallel loop gang present(u[0:n * n], v[0:n * n]) reduction(max:change)
#endif
    for (int i = 1; i < n - 1; i++) {
#ifdef _OPENMP
        OMP_SIMD(reduction(max:change))
#else
#pragma acc loop vector reduction(max:change)
#endif
        for (int j = 1; j < n - 1; j++) {
            int k = i * n + j;
            v[k] = 0.25 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1]);
            double d = fabs(v[k] - u[k]);
            change = d > change ? d : change;
        }
    }
    return change;
}

int main(void)
{
    int n = 2048, right = 1;
    size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    double *u = get(bytes), *v = get(bytes), best = 1e9, change = 0, expected = 0;
    for (int k = 0; k < n * n; k++) {
        u[k] = k * 7919LL % 1024;
        v[k] = 0;
    }
#pragma acc data copyin(u[0:n * n]) copy(v[0:n * n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        change = run(n, u, v);
        best = smaller(best, now() - begin);
    }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int k = i * n + j;
            double w = 0.25 * (u[k - n] + u[k + n] + u[k - 1] + u[k + 1]);
            right &= w == v[k];
            expected = fmax(expected, fabs(w - u[k]));
        }
    return report("jacobi", best, 2.0 * (double)bytes, right && change == expected);
}
