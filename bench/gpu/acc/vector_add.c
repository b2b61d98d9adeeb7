// Vector addition, float, 2^27.
#include "common.h"

#if SPELLING == 1
static void vector_add(int n, const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma acc parallel loop present(a[0:n], b[0:n], c[0:n])
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
#else
static void vector_add(size_t n, float *a, float *b, float *c)
{
#pragma acc kernels loop independent present(a[0:n], b[0:n], c[0:n])
    for (size_t i = 0; i < n; i++)
        *(c + i) = *(a + i) + *(b + i);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1 << (27 - args.shift);
    size_t bytes = (size_t)n * sizeof(float);
    float *a = get(bytes), *b = get(bytes), *c = get(bytes);
    long long sum = 0;
#pragma acc enter data create(a[0:n], b[0:n], c[0:n])
#pragma acc parallel loop present(a[0:n], b[0:n], c[0:n])
    for (int i = 0; i < n; i++) {
        a[i] = i % 1000;
        b[i] = i % 7;
        c[i] = -1;
    }
    struct watch w = watch(args.repeats);
    while (lap(&w))
        vector_add(n, a, b, c);
#pragma acc parallel loop reduction(+:sum) present(c[0:n])
    for (int i = 0; i < n; i++)
        sum += ADDEND(c[i], 1, i);
    row("vector_add", n, w, 3.0 * bytes, 'B', sum);
    return 0;
}
