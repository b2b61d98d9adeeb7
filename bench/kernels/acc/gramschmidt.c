// An orthonormal basis of 256 vectors of 2048 numbers, float, by Gram and Schmidt: a norm, a column and the others' changes for each vector.
#include "../kernels.h"

enum { ROWS = 2048, COLUMNS = 256 };

#if SPELLING == 1
static void orthonormal(int m, int n, float *restrict a, float *restrict r, float *restrict q)
{
#pragma acc data present(a[0:m * n], r[0:n * n], q[0:m * n])
    for (int k = 0; k < n; k++) {
        float norm = 0;
#pragma acc parallel loop reduction(+ : norm)
#pragma omp parallel for reduction(+ : norm)
        for (int i = 0; i < m; i++)
            norm += a[i * n + k] * a[i * n + k];
        norm = sqrtf(norm);
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < m; i++)
            q[i * n + k] = a[i * n + k] / norm;
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int j = k + 1; j < n; j++) {
            float dot = 0;
#pragma acc loop vector reduction(+ : dot)
            for (int i = 0; i < m; i++)
                dot += q[i * n + k] * a[i * n + j];
            r[k * n + j] = dot;
#pragma acc loop vector
            for (int i = 0; i < m; i++)
                a[i * n + j] -= q[i * n + k] * dot;
        }
    }
}
#else
static void orthonormal(size_t m, size_t n, float (*a)[COLUMNS], float (*r)[COLUMNS], float (*q)[COLUMNS])
{
    for (size_t k = 0; k < n; ++k) {
        float norm = 0;
#pragma acc kernels present(a[0:m], q[0:m]) copy(norm)
        {
#pragma omp parallel for reduction(+ : norm)
            for (size_t i = 0; i < m; ++i)
                norm += a[i][k] * a[i][k];
            norm = sqrtf(norm);
#pragma acc loop independent
#pragma omp parallel for
            for (size_t i = 0; i < m; ++i)
                q[i][k] = a[i][k] / norm;
        }
#pragma acc kernels loop independent present(a[0:m], q[0:m], r[0:n])
#pragma omp parallel for
        for (size_t j = k + 1; j < n; ++j) {
            float dot = 0;
            for (size_t i = 0; i < m; ++i)
                dot += q[i][k] * a[i][j];
            r[k][j] = dot;
            for (size_t i = 0; i < m; ++i)
                a[i][j] -= q[i][k] * dot;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int m = ROWS >> args.shift / 2, n = COLUMNS, all = m * n;
    float *a = NEW(float, all), *from = NEW(float, all), *r = calloc(n, n * sizeof(float)), *q = NEW(float, all);
    double sum = 0;
    FILL(from, all, 1);
    for (int k = 0; k < n; k++)
        from[k * n + k] += 20;
#pragma acc enter data copyin(from[0:all], r[0:n * n]) create(a[0:all], q[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#pragma acc parallel loop present(a[0:all], from[0:all])
        for (int i = 0; i < all; i++)
            a[i] = from[i];
#if SPELLING == 1
        orthonormal(m, n, a, r, q);
#else
        orthonormal(m, n, (float(*)[COLUMNS])a, (float(*)[COLUMNS])r, (float(*)[COLUMNS])q);
#endif
    }
#pragma acc update self(r[0:n * n])
    SUM(sum, r, n * n);
    report("gramschmidt", t.best, sum);
    return 0;
}
