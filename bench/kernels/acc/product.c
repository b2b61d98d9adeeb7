// Product of two matrices without tiles, double, 2048 × 2048.
#include "../kernels.h"

enum { N = 2048 };

#if SPELLING == 1
static void product(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n], c[0:n * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++)
#pragma omp simd
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}
#elif SPELLING == 3
static void product(long n, double *a, double *b, double *c)
{
#pragma acc parallel default(present) vector_length(128)
    {
#pragma acc loop gang
        for (long i = 0; i < n; ++i) {
            double *arow = &a[i * n];
            double *crow = &c[i * n];
#pragma acc loop vector
            for (long j = 0; j < n; ++j) {
                double tmp = 0;
#pragma acc loop seq
                for (long k = 0; k < n; ++k)
                    tmp += arow[k] * b[k * n + j];
                crow[j] = tmp;
            }
        }
    }
}
#elif SPELLING == 4
static void product(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    const int total = n * n;
#pragma acc parallel loop gang vector vector_length(256) present(a[0:total], b[0:total], c[0:total])
    for (int id = 0; id < total; id++) {
        int i = id / n;
        int j = id % n;
        const double *pa = a + i * n, *pb = b + j;
        double dot = 0.0;
        for (int k = 0; k < n; k++, pb += n)
            dot += pa[k] * *pb;
        c[id] = dot;
    }
}
#else
static void product(size_t n, double *a, double *b, double *c)
{
#pragma acc parallel loop collapse(2) present(a[0:n * n], b[0:n * n], c[0:n * n])
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
#pragma omp simd
        for (size_t j = 0; j < n; j++) {
            const double *row = a + i * n, *column = b + j;
            double s = 0;
            for (size_t k = 0; k < n; k++, column += n)
                s += row[k] * *column;
            c[i * n + j] = s;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift;
    double *a = NEW(double, n * n), *b = NEW(double, n * n), *c = NEW(double, n * n), sum = 0;
    FILL(a, n * n, 1);
    FILL(b, n * n, 1);
#pragma acc enter data copyin(a[0:n * n], b[0:n * n]) create(c[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        product(n, a, b, c);
#pragma acc update self(c[0:n * n])
    SUM(sum, c, n * n);
    report("product", t.best, sum);
    return 0;
}
