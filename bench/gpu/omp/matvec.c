// Matrix times vector, double, 16384 × 16384: a row to a team, or to a thread whose lanes share it.
#include "common.h"

static void matvec(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
#ifdef WITH_SIMD
#pragma omp target teams distribute parallel for
#else
#pragma omp target teams distribute
#endif
    for (int i = 0; i < n; i++) {
        double s = 0;
#ifdef WITH_SIMD
#pragma omp simd reduction(+ : s)
#else
#pragma omp parallel for reduction(+ : s)
#endif
        for (int j = 0; j < n; j++)
            s += a[i * n + j] * x[j];
        y[i] = s;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 16384 >> args.shift;
    double *a = get((size_t)n * n * sizeof(double)), *x = get(n * sizeof(double)), *y = get(n * sizeof(double));
#pragma omp target enter data map(alloc : a[0 : n * n], x[0 : n], y[0 : n])
#pragma omp target teams distribute parallel for
    for (int k = 0; k < n * n; k++)
        a[k] = k % 5 - 1;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        x[i] = i % 7 - 3;
        y[i] = -1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        matvec(n, a, x, y);
    row("matvec", n, w, 8.0 * n * n + 16.0 * n, 'B', checksum(n, y, 1));
    return 0;
}
