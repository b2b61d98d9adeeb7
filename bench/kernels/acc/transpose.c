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
#elif SPELLING == 3
static void transpose(int n, double *src, double *dst)
{
    double(*in)[n] = (double(*)[n])src, (*out)[n] = (double(*)[n])dst;
#pragma acc parallel loop tile(32, 32) present(in[0:n], out[0:n])
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            out[c][r] = in[r][c];
}
#elif SPELLING == 4
static void transpose(size_t n, const double *restrict a, double *restrict t)
{
    size_t total = n * n;
#pragma acc parallel loop present(a[:total], t[:total])
    for (size_t k = 0; k < total; k++) {
        size_t row = k / n, col = k % n;
        t[k] = a[col * n + row];
    }
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
