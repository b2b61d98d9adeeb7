// Square roots by 64 Newton iterations, double, 2^24.
#include "common.h"

#if SPELLING == 1
static void newton(int n, const double *restrict a, double *restrict root)
{
#pragma acc parallel loop present(a[0:n], root[0:n])
    for (int i = 0; i < n; i++) {
        double x = a[i];
#pragma acc loop seq
        for (int k = 0; k < 64; k++)
            x = 0.5 * (x + a[i] / x);
        root[i] = x;
    }
}
#else
#pragma acc routine seq
static double better(double x, double a) { return (x + a / x) / 2; }

static void newton(size_t n, double *a, double *root)
{
#pragma acc parallel loop gang vector present(a[0:n], root[0:n])
    for (size_t i = 0; i < n; i++) {
        root[i] = a[i];
        for (unsigned k = 64; k > 0; k--)
            root[i] = better(root[i], a[i]);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (24 - args.shift);
    double *a = get((size_t)n * sizeof(double)), *root = get((size_t)n * sizeof(double));
#pragma acc enter data create(a[0:n], root[0:n])
#pragma acc parallel loop present(a[0:n], root[0:n])
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
