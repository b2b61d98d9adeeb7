// Product of a lower triangular matrix with another, 1024 x 1024 doubles: the inner loop ends where the triangle does.
#include "../kernels.h"

enum { SIDE = 1024 };

#if SPELLING == 1
static void product(int n, int side, const double *restrict a, const double *restrict b, double *restrict c)
{
#pragma acc parallel loop collapse(2) present(a[0:n * side], b[0:n * side], c[0:n * side])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k <= i; k++)
                s += a[i * side + k] * b[k * side + j];
            c[i * side + j] = 1.5 * s;
        }
}
#elif SPELLING == 3
static void product(int n, int ld, double *a, double *b, double *c)
{
#pragma acc kernels present(a[0:ld * ld], b[0:ld * ld], c[0:ld * ld])
    {
#pragma acc loop independent
        for (int i = 0; i < n; i++) {
#pragma acc loop independent
            for (int j = 0; j < n; j++) {
                c[i * ld + j] = 0;
                for (int k = i; k >= 0; k--)
                    c[i * ld + j] += a[i * ld + k] * b[k * ld + j];
                c[i * ld + j] *= 1.5;
            }
        }
    }
}
#elif SPELLING == 4
static void product(size_t n, size_t ld, const double *pa, const double *pb, double *pc)
{
    const double(*A)[ld] = (const double(*)[ld])pa, (*B)[ld] = (const double(*)[ld])pb;
    double(*C)[ld] = (double(*)[ld])pc;
#pragma acc parallel loop tile(32, 8) present(A[0:n], B[0:n], C[0:n])
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double t = 0;
            for (size_t k = 0; k <= i; k++)
                t += 1.5 * A[i][k] * B[k][j];
            C[i][j] = t;
        }
}
#else
static void product(size_t n, double (*a)[SIDE], double (*b)[SIDE], double (*c)[SIDE])
{
#pragma acc kernels present(a[0:n], b[0:n], c[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
#pragma acc loop independent
        for (size_t j = 0; j < n; ++j)
            c[i][j] = 0;
#pragma acc loop independent
        for (size_t j = 0; j < n; ++j)
            for (size_t k = 0; k < i + 1; ++k)
                c[i][j] += 1.5 * a[i][k] * b[k][j];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE, n = side >> args.shift / 2;
    double *a = NEW(double, side *side), *b = NEW(double, side *side), *c = NEW(double, side *side), sum = 0;
    FILL(a, side * side, 1);
    for (int k = 0; k < side * side; k++)
        b[k] = number(k + 3);
#pragma acc enter data copyin(a[0:side * side], b[0:side * side]) create(c[0:side * side])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
        product(n, side, a, b, c);
#else
        product(n, (double (*)[SIDE])a, (double (*)[SIDE])b, (double (*)[SIDE])c);
#endif
    }
#pragma acc update self(c[0:side * side])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += c[i * side + j] * (1 + (i + j) % 7);
    report("trmm", t.best, sum);
    return 0;
}
