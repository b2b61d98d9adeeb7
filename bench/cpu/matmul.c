// C = A B, float, 512 × 512: rows in parallel, columns as vector, the sum over k in order between them.
#include "bench.h"

static void run(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#ifdef _OPENMP
#pragma omp parallel for
#else
#pragma acc parallel loop gang present(a[0:n * n], b[0:n * n], c[0:n * n])
#endif
    for (int i = 0; i < n; i++) {
#ifdef _OPENMP
        OMP_SIMD()
#else
#pragma acc loop vector
#endif
        for (int j = 0; j < n; j++)
            c[i * n + j] = 0;
#ifndef _OPENMP
#pragma acc loop seq
#endif
        for (int k = 0; k < n; k++) {
            float f = a[i * n + k];
#ifdef _OPENMP
            OMP_SIMD()
#else
#pragma acc loop vector
#endif
            for (int j = 0; j < n; j++)
                c[i * n + j] += f * b[k * n + j];
        }
    }
}

int main(void)
{
    int n = 512, right = 1;
    size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a = get(bytes), *b = get(bytes), *c = get(bytes);
    for (int k = 0; k < n * n; k++) {
        a[k] = (float)(k % 7);
        b[k] = (float)(k % 11 - 5);
    }
    double best = 1e9;
#pragma acc data copyin(a[0:n * n], b[0:n * n]) copyout(c[0:n * n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        run(n, a, b, c);
        best = smaller(best, now() - begin);
    }
    for (int i = 0; i < n; i += 31)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            right &= s == c[i * n + j];
        }
    return report("matmul", best, 3.0 * (double)bytes, right);
}
