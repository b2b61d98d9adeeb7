// Square roots by 64 Newton iterations, double, 2^24.
#include "common.h"

static void newton(int n, const double *restrict a, double *restrict root)
{
#pragma omp target teams distribute parallel for SIMD
    for (int i = 0; i < n; i++) {
        double x = a[i];
        for (int k = 0; k < 64; k++)
            x = 0.5 * (x + a[i] / x);
        root[i] = x;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (24 - args.shift);
    double *a = get((size_t)n * sizeof(double)), *root = get((size_t)n * sizeof(double));
#pragma omp target enter data map(alloc : a[0 : n], root[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        a[i] = i % 1000 + 1;
        root[i] = -1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        newton(n, a, root);
    row("newton", n, w, 3.0 * 64 * n, 'F', checksum(n, root, 1048576.0));
    return 0;
}
