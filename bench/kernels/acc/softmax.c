// Softmax of the rows of a matrix, float, 16384 × 1024.
#include "../kernels.h"

enum { ROWS = 16384, COLUMNS = 1024 };

#if SPELLING == 1
static void softmax(int rows, int n, const float *restrict x, float *restrict y)
{
#pragma acc parallel loop gang present(x[0:rows * n], y[0:rows * n])
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        float most = -1e30f, sum = 0;
#pragma acc loop vector reduction(max:most)
#pragma omp simd reduction(max : most)
        for (int j = 0; j < n; j++)
            most = fmaxf(most, x[i * n + j]);
#pragma acc loop vector reduction(+:sum)
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += expf(x[i * n + j] - most);
#pragma acc loop vector
#pragma omp simd
        for (int j = 0; j < n; j++)
            y[i * n + j] = expf(x[i * n + j] - most) / sum;
    }
}
#elif SPELLING == 3
#pragma acc routine vector
static void softmax_row(int n, const float *restrict in, float *restrict out)
{
    float biggest = in[0];
#pragma acc loop vector reduction(max : biggest)
    for (int j = 1; j < n; j++)
        if (in[j] > biggest)
            biggest = in[j];
    float total = 0.0f;
#pragma acc loop vector reduction(+ : total)
    for (int j = 0; j < n; j++) {
        out[j] = expf(in[j] - biggest);
        total += out[j];
    }
    float scale = 1.0f / total;
#pragma acc loop vector
    for (int j = 0; j < n; j++)
        out[j] *= scale;
}
static void softmax(int rows, int n, const float *x, float *y)
{
#pragma acc parallel loop gang vector_length(128) present(x[0:rows * n], y[0:rows * n])
    for (int i = 0; i < rows; i++)
        softmax_row(n, x + i * n, y + i * n);
}
#elif SPELLING == 4
static void softmax(long rows, long n, const float *px, float *py)
{
    const float(*x)[n] = (const float(*)[n])px;
    float(*y)[n] = (float(*)[n])py;
#pragma acc parallel num_workers(4) vector_length(32) present(x[0:rows], y[0:rows])
    {
#pragma acc loop gang worker
        for (long r = 0; r < rows; r++) {
            float m = -INFINITY, s = 0;
#pragma acc loop vector reduction(max : m)
            for (long c = 0; c < n; c++)
                m = fmaxf(x[r][c], m);
#pragma acc loop vector reduction(+ : s)
            for (long c = 0; c < n; c++) {
                float e = expf(x[r][c] - m);
                y[r][c] = e;
                s += e;
            }
#pragma acc loop vector
            for (long c = 0; c < n; c++)
                y[r][c] = y[r][c] / s;
        }
    }
}
#else
static void softmax(size_t rows, size_t n, float *x, float *y)
{
#pragma acc parallel loop gang vector_length(128) present(x[0:rows * n], y[0:rows * n])
#pragma omp parallel for
    for (size_t i = 0; i < rows; i++) {
        float *from = x + i * n, *to = y + i * n, most = from[0], sum = 0;
#pragma acc loop vector reduction(max:most)
#pragma omp simd reduction(max : most)
        for (size_t j = 0; j < n; j++)
            if (from[j] > most)
                most = from[j];
#pragma acc loop vector reduction(+:sum)
#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < n; j++) {
            to[j] = expf(from[j] - most);
            sum += to[j];
        }
#pragma acc loop vector
#pragma omp simd
        for (size_t j = 0; j < n; j++)
            to[j] /= sum;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, n = COLUMNS, all = rows * n;
    float *x = NEW(float, all), *y = NEW(float, all);
    double sum = 0;
    FILL(x, all, 4);
#pragma acc enter data copyin(x[0:all]) create(y[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        softmax(rows, n, x, y);
#pragma acc update self(y[0:all])
    for (int i = 0; i < all; i++)
        sum += y[i] * (i % 7);
    report("softmax", t.best, sum);
    return 0;
}
