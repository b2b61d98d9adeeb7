// c = a + b, float, 2^24 elements: bound by memory.
#include "bench.h"

static void run(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#ifdef _OPENMP
#pragma omp parallel for SIMD
#else
#pragma acc parallel loop present(a[0:n], b[0:n], c[0:n])
#endif
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

int main(void)
{
    int n = 1 << 24, right = 1;
    size_t bytes = (size_t)n * sizeof(float);
    float *a = get(bytes), *b = get(bytes), *c = get(bytes);
    for (int i = 0; i < n; i++) {
        a[i] = (float)(i % 1000);
        b[i] = (float)(i % 77);
        c[i] = -1;
    }
    double best = 1e9;
#pragma acc data copyin(a[0:n], b[0:n]) copyout(c[0:n])
    for (int t = 0; t < REPEATS; t++) {
        double begin = now();
        run(n, a, b, c);
        best = smaller(best, now() - begin);
    }
    for (int i = 0; i < n; i++)
        right &= c[i] == (float)(i % 1000 + i % 77);
    return report("vector_add", best, 3.0 * (double)bytes, right);
}
