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
#elif SPELLING == 3
#define KSIZE 5
#define KHALF (KSIZE / 2)
static void convolve(int n, float *img, float *mask, float *res)
{
    int npix = n * n;
#pragma acc parallel loop gang vector present(img[0:npix], mask[0:KSIZE * KSIZE], res[0:npix])
    for (int p = 0; p < npix; p++) {
        int y = p / n, x = p % n;
        if (y < KHALF || y >= n - KHALF || x < KHALF || x >= n - KHALF)
            continue;
        float acc = 0.0f;
        for (int ky = 0; ky < KSIZE; ky++)
            for (int kx = 0; kx < KSIZE; kx++)
                acc += mask[ky * KSIZE + kx] * img[(y + ky - KHALF) * n + (x + kx - KHALF)];
        res[p] = acc;
    }
}
#elif SPELLING == 4
static void convolve(int n, const float *pin, const float *pw, float *pout)
{
    const float(*in)[n] = (const float(*)[n])pin, (*w)[5] = (const float(*)[5])pw;
    float(*out)[n] = (float(*)[n])pout;
#pragma acc kernels present(in[0:n], w[0:5], out[0:n])
#pragma acc loop independent collapse(2)
    for (int i = 2; i < n - 2; ++i)
        for (int j = 2; j < n - 2; ++j) {
            out[i][j] = 0;
#pragma acc loop seq
            for (int a = -2; a < 3; ++a)
#pragma acc loop seq
                for (int b = -2; b < 3; ++b)
                    out[i][j] += w[2 + a][2 + b] * in[i + a][j + b];
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
