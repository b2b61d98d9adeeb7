// 5 × 5 convolution, float, 4096 × 4096.
#include "../kernels.h"

enum { N = 4096 };

#if SPELLING == 1
static void convolve(int n, const float *restrict in, const float *restrict w, float *restrict out)
{
#pragma acc parallel loop collapse(2) present(in[0:n * n], w[0:25], out[0:n * n])
#pragma omp parallel for
    for (int i = 2; i < n - 2; i++)
#pragma omp simd
        for (int j = 2; j < n - 2; j++) {
            float s = 0;
            for (int a = -2; a <= 2; a++)
                for (int b = -2; b <= 2; b++)
                    s += in[(i + a) * n + j + b] * w[(a + 2) * 5 + b + 2];
            out[i * n + j] = s;
        }
}
#else
#define AT(p, i, j) (p)[(size_t)(i) * n + (j)]
static void convolve(size_t n, float *in, float *w, float *out)
{
#pragma acc parallel loop collapse(2) present(in[0:n * n], w[0:25], out[0:n * n])
#pragma omp parallel for
    for (size_t i = 2; i < n - 2; ++i)
#pragma omp simd
        for (size_t j = 2; j < n - 2; ++j) {
            float s = 0;
            for (unsigned a = 0; a < 5; a++)
                for (unsigned b = 0; b < 5; b++)
                    s += AT(in, i + a - 2, j + b - 2) * w[5 * a + b];
            AT(out, i, j) = s;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift;
    float *in = NEW(float, n * n), *out = NEW(float, n * n), w[25];
    double sum = 0;
    FILL(in, n * n, 1);
    FILL(w, 25, 0.1);
    FILL(out, n * n, 0);
#pragma acc enter data copyin(in[0:n * n], w, out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        convolve(n, in, w, out);
#pragma acc update self(out[0:n * n])
    SUM(sum, out, n * n);
    report("convolution", t.best, sum);
    return 0;
}
