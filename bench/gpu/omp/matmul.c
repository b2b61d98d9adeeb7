// Matrix product without tiles, double, 2048 × 2048.
#include "common.h"

static void matmul(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma omp target teams distribute parallel for SIMD collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 2048 >> args.shift;
    size_t bytes = (size_t)n * n * sizeof(double);
    double *a = get(bytes), *b = get(bytes), *c = get(bytes);
#pragma omp target enter data map(alloc : a[0 : n * n], b[0 : n * n], c[0 : n * n])
#pragma omp target teams distribute parallel for
    for (int k = 0; k < n * n; k++) {
        a[k] = k % 5 - 1;
        b[k] = k % 7 - 2;
        c[k] = -1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        matmul(n, a, b, c);
    row("matmul", n, w, 2.0 * n * n * n, 'F', checksum(n * n, c, 1));
    return 0;
}
