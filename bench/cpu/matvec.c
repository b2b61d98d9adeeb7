// y = A x, float, 4096 × 4096: rows in parallel, a sum over each row.
#include "bench.h"

static void run(int n, const float *restrict a, const float *restrict x, float *restrict y)
{
#ifdef _OPENMP
#pragma omp parallel for
#else
#pragma acc parallel loop gang present(a[0:n * n], x[0:n], y[0:n])
#endif
    for (int i = 0; i < n; i++) {
        float s = 0;
#ifdef _OPENMP
        OMP_SIMD(reduction(+:s))
#else
#pragma acc loop vector reduction(+:s)
#endif
        for (int j = 0; j < n; j++)
            s += a[(long)i * n + j] * x[j];
        y[i] = s;
    }
}

int main(void)
{
    int n = 4096, right = 1;
    size_t row = (size_t)n * sizeof(float);
    float *a = get(row * (size_t)n), *x = get(row), *y = get(row);
    for (int i = 0; i < n; i++) {
        x[i] = (float)(i % 5 - 2);
        for (int j = 0; j < n; j++)
            a[(long)i * n + j] = (float)((i + j) % 3);
    }
    double best = 1e9;
#pragma acc data copyin(a[0:n * n], x[0:n]) copyout(y[0:n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        run(n, a, x, y);
        best = smaller(best, now() - begin);
    }
    for (int i = 0; i < n; i += 97) {
        float s = 0;
        for (int j = 0; j < n; j++)
            s += a[(long)i * n + j] * x[j];
        right &= s == y[i];
    }
    return report("matvec", best, (double)row * n, right);
}
