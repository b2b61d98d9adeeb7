// y = alpha A x + beta B x, 2048 x 2048 floats.
#include "../kernels.h"

enum { SIDE = 2048 };

#if SPELLING == 1
static void gesummv(int n, float alpha, float beta, const float *restrict a, const float *restrict b, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop present(a[0:n * n], b[0:n * n], x[0:n], y[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float s = 0, t = 0;
        for (int j = 0; j < n; j++) {
            s += a[i * n + j] * x[j];
            t += b[i * n + j] * x[j];
        }
        y[i] = alpha * s + beta * t;
    }
}
#elif SPELLING == 3
static float tmp[SIDE];
#pragma acc declare create(tmp)
static void gesummv(int n, float alpha, float beta, float *a, float *b, float *x, float *y)
{
#pragma acc kernels loop independent present(a[0:n * n], b[0:n * n], x[0:n], y[0:n])
    for (int i = 0; i < n; i++) {
        tmp[i] = 0;
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            tmp[i] = a[i * n + j] * x[j] + tmp[i];
            y[i] = b[i * n + j] * x[j] + y[i];
        }
        y[i] = alpha * tmp[i] + beta * y[i];
    }
}
#elif SPELLING == 4
static void gesummv(unsigned n, float alpha, float beta, const float *restrict a, const float *restrict b, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang worker num_workers(8) vector_length(32) default(present)
    for (unsigned row = 0; row < n; row++) {
        const float *ra = a + row * n, *rb = b + row * n;
        float sum = 0.f;
#pragma acc loop vector reduction(+ : sum)
        for (unsigned col = 0; col < n; col++)
            sum += (alpha * ra[col] + beta * rb[col]) * x[col];
        y[row] = sum;
    }
}
#else
static void gesummv(size_t n, float alpha, float beta, float *a, float *b, float *x, float *y)
{
#pragma acc kernels present(a[0:n * n], b[0:n * n], x[0:n], y[0:n])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        float both[2] = {0, 0};
        const float *row[2] = {a + i * n, b + i * n};
        for (size_t j = 0; j < n; ++j)
            for (int k = 0; k < 2; ++k)
                both[k] += row[k][j] * x[j];
        y[i] = alpha * both[0] + beta * both[1];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    float *a = NEW(float, n *n), *b = NEW(float, n *n), *x = NEW(float, n), *y = NEW(float, n);
    double sum = 0;
    FILL(a, n * n, 1);
    FILL(b, n * n, 2);
    FILL(x, n, 1);
#pragma acc enter data copyin(a[0:n * n], b[0:n * n], x[0:n]) create(y[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        gesummv(n, 1.5f, 1.2f, a, b, x, y);
#pragma acc update self(y[0:n])
    SUM(sum, y, n);
    report("gesummv", t.best, sum);
    return 0;
}
