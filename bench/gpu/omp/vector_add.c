// Vector addition, float, 2^27.
#include "common.h"

static void vector_add(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma omp target teams distribute parallel for SIMD
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    size_t bytes = (size_t)n * sizeof(float);
    float *a = get(bytes), *b = get(bytes), *c = get(bytes);
    long long sum = 0;
#pragma omp target enter data map(alloc : a[0 : n], b[0 : n], c[0 : n])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) {
        a[i] = i % 1000;
        b[i] = i % 7;
        c[i] = -1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        vector_add(n, a, b, c);
#pragma omp target teams distribute parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += ADDEND(c[i], 1, i);
    row("vector_add", n, w, 3.0 * bytes, 'B', sum);
    return 0;
}
