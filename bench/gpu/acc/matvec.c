// Matrix times vector, double, 16384 × 16384.
#include "common.h"

#if SPELLING == 1
static void matvec(int n, const double *restrict a, const double *restrict x, double *restrict y)
{
#pragma acc parallel loop gang present(a[0:n * n], x[0:n], y[0:n])
    for (int i = 0; i < n; i++) {
        double s = 0;
#pragma acc loop vector reduction(+:s)
        for (int j = 0; j < n; j++)
            s += a[i * n + j] * x[j];
        y[i] = s;
    }
}
#else
static void matvec(size_t n, double *flat, double *x, double *y)
{
    double(*a)[n] = (double(*)[n])flat;
#pragma acc parallel present(a[0:n][0:n], x[0:n], y[0:n])
    {
#pragma acc loop gang
        for (size_t i = 0; i < n; i++) {
            const double *row = a[i];
            double s = 0;
#pragma acc loop vector reduction(+:s)
            for (size_t j = 0; j < n; j++)
                s += row[j] * x[j];
            y[i] = s;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 16384 >> args.shift;
    double *a = get((size_t)n * n * sizeof(double)), *x = get(n * sizeof(double)), *y = get(n * sizeof(double));
#pragma acc enter data create(a[0:n * n], x[0:n], y[0:n])
#pragma acc parallel loop present(a[0:n * n])
    for (int k = 0; k < n * n; k++)
        a[k] = k % 5 - 1;
#pragma acc parallel loop present(x[0:n], y[0:n])
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
