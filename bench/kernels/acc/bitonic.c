// Bitonic sorting of 2^18 ints: a launch for each of the 171 rounds of comparisons.
#include "../kernels.h"

enum { KEYS = 1 << 18 };

#if SPELLING == 1
static void sort(int n, const int *restrict in, int *restrict a)
{
#pragma acc parallel loop async present(in[0:n], a[0:n])
#pragma omp parallel for simd
    for (int i = 0; i < n; i++)
        a[i] = in[i];
    for (int k = 2; k <= n; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
#pragma acc parallel loop async present(a[0:n])
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                int other = i ^ j;
                if (other > i) {
                    int x = a[i], y = a[other];
                    if ((i & k) == 0 ? x > y : x < y) {
                        a[i] = y;
                        a[other] = x;
                    }
                }
            }
        }
#pragma acc wait
}
#else
#pragma acc routine seq
static void exchange(int *a, int *b)
{
    int c = *a;
    *a = *b;
    *b = c;
}

static void sort(size_t n, int *in, int *a)
{
#pragma acc kernels loop independent async present(in[0:n], a[0:n])
#pragma omp parallel for simd
    for (size_t i = 0; i < n; i++)
        a[i] = in[i];
    for (size_t size = 2; size <= n; size <<= 1)
        for (size_t stride = size >> 1; stride > 0; stride >>= 1) {
            // Half as many iterations: one for each pair.
#pragma acc kernels loop independent async present(a[0:n])
#pragma omp parallel for
            for (size_t p = 0; p < n / 2; p++) {
                size_t low = 2 * p - (p & (stride - 1)), high = low + stride;
                int up = !(low & size);
                if ((a[low] > a[high]) == up)
                    exchange(&a[low], &a[high]);
            }
        }
#pragma acc wait
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = KEYS >> args.shift, *in = NEW(int, n), *a = NEW(int, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        in[i] = (int)(mix(i) & 0xfffff);
#pragma acc enter data copyin(in[0:n]) create(a[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        sort(n, in, a);
#pragma acc update self(a[0:n])
    for (int i = 0; i < n; i++)
        sum += (double)a[i] * (1 + i % 1000);
    report("bitonic", t.best, sum);
    return 0;
}
