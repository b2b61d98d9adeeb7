// Transposition, double, 4096 × 4096.
#include "../kernels.h"

enum { N = 4096 };

#if SPELLING == 1
static void transpose(int n, const double *restrict a, double *restrict b)
{
#pragma acc parallel loop tile(32, 32) present(a[0:n * n], b[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = a[j * n + i];
}
#else
static void transpose(unsigned long n, double *a, double *b)
{
#pragma acc parallel loop gang present(a[0:n * n], b[0:n * n])
#pragma omp parallel for
    for (unsigned long i = 0; i < n; i++) {
#pragma acc loop vector
        for (unsigned long j = 0; j < n; j++)
            b[i * n + j] = a[j * n + i];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift;
    double *a = NEW(double, n * n), *b = NEW(double, n * n), sum = 0;
    FILL(a, n * n, 1);
#pragma acc enter data copyin(a[0:n * n]) create(b[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        transpose(n, a, b);
#pragma acc update self(b[0:n * n])
    for (int i = 0; i < n * n; i++)
        sum += b[i] * (i % 5);
    report("transpose", t.best, sum);
    return 0;
}
