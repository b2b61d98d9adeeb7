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
#elif SPELLING == 3
#define A_(i, j) a[(i) * n + (j)]
#define Q_(i, j) q[(i) * n + (j)]
static void orthonormal(int m, int n, float *a, float *r, float *q)
{
    for (int k = 0; k < n; k++) {
        float nrm = 0.0f;
#pragma acc parallel loop reduction(+ : nrm) present(a)
        for (int i = 0; i < m; i++)
            nrm += A_(i, k) * A_(i, k);
        const float len = sqrtf(nrm);
#pragma acc parallel loop present(a, q)
        for (int i = 0; i < m; i++)
            Q_(i, k) = A_(i, k) / len;
#pragma acc parallel loop gang present(a, q, r)
        for (int j = k + 1; j < n; j++) {
            float dot = 0.0f;
#pragma acc loop vector reduction(+ : dot)
            for (int i = 0; i < m; i++)
                dot += Q_(i, k) * A_(i, j);
            r[k * n + j] = dot;
        }
#pragma acc parallel loop collapse(2) present(a, q, r)
        for (int i = 0; i < m; i++)
            for (int j = k + 1; j < n; j++)
                A_(i, j) -= Q_(i, k) * r[k * n + j];
    }
}
#elif SPELLING == 4
static float norm_of;
#pragma acc declare create(norm_of)
static void orthonormal(size_t m, size_t n, float *pa, float *pr, float *pq)
{
    float(*A)[n] = (float(*)[n])pa, (*R)[n] = (float(*)[n])pr, (*Q)[n] = (float(*)[n])pq;
    for (size_t k = 0; k < n; k++) {
#pragma acc parallel num_gangs(1) vector_length(256) present(A[0:m], Q[0:m]) async(1)
        {
            float nrm = 0.0f;
#pragma acc loop vector reduction(+ : nrm)
            for (size_t i = 0; i < m; i++)
                nrm += A[i][k] * A[i][k];
            nrm = sqrtf(nrm);
#pragma acc loop vector
            for (size_t i = 0; i < m; i++)
                Q[i][k] = A[i][k] / nrm;
        }
#pragma acc parallel loop present(A[0:m], Q[0:m], R[0:n]) async(1)
        for (size_t j = k + 1; j < n; j++) {
            R[k][j] = 0.0f;
            for (size_t i = 0; i < m; i++)
                R[k][j] += Q[i][k] * A[i][j];
            for (size_t i = 0; i < m; i++)
                A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
#pragma acc wait(1)
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
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
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
