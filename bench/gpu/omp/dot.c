// Scalar product, double, 2^24 and 2^27.
#include "common.h"

static double dot(int n, const double *restrict x, const double *restrict y)
{
    double sum = 0;
#pragma omp target teams distribute parallel for SIMD reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift), part = n >> 3;
    double *x = get((size_t)n * sizeof(double)), *y = get((size_t)n * sizeof(double)), sum = 0;
    struct watch w;
#pragma omp target enter data map(alloc : x[0 : n], y[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        x[i] = i % 5 - 1;
        y[i] = i % 7 - 2;
    }
    w = watch(args.repeats);
    while (lap(&w))
        sum = dot(part, x, y);
    row("dot_24", part, w, 16.0 * part, 'B', (long long)sum);
    w = watch(args.repeats);
    while (lap(&w))
        sum = dot(n, x, y);
    row("dot_27", n, w, 16.0 * n, 'B', (long long)sum);
    return 0;
}
