// Normalisation of the rows of a matrix by mean and variance, with a scale and an offset for each column, float, 16384 × 1024.
#include "../kernels.h"

enum { ROWS = 16384, COLUMNS = 1024 };

#if SPELLING == 1
static void normalise(int rows, int n, const float *restrict x, const float *restrict gamma, const float *restrict beta,
                      float *restrict y)
{
#pragma acc parallel loop gang present(x[0:rows * n], gamma[0:n], beta[0:n], y[0:rows * n])
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        float mean = 0, variance = 0;
#pragma acc loop vector reduction(+ : mean)
#pragma omp simd reduction(+ : mean)
        for (int j = 0; j < n; j++)
            mean += x[i * n + j];
        mean /= n;
#pragma acc loop vector reduction(+ : variance)
#pragma omp simd reduction(+ : variance)
        for (int j = 0; j < n; j++)
            variance += (x[i * n + j] - mean) * (x[i * n + j] - mean);
        variance /= n;
#pragma acc loop vector
#pragma omp simd
        for (int j = 0; j < n; j++)
            y[i * n + j] = (x[i * n + j] - mean) / sqrtf(variance + 1e-5f) * gamma[j] + beta[j];
    }
}
#else
#define SQUARE(a) ((a) * (a))
#define EPSILON 1e-5f

static void normalise(size_t rows, size_t n, float *px, float *gamma, float *beta, float *py)
{
    float(*x)[n] = (float(*)[n])px, (*y)[n] = (float(*)[n])py;
#pragma acc parallel present(x[0:rows][0:n], gamma[0:n], beta[0:n], y[0:rows][0:n])
    {
#pragma acc loop gang
#pragma omp parallel for
        for (size_t i = 0; i < rows; ++i) {
            float sum = 0.0f, squares = 0.0f;
#pragma acc loop vector reduction(+ : sum)
#pragma omp simd reduction(+ : sum)
            for (size_t j = 0; j < n; ++j)
                sum += x[i][j];
            const float mean = sum / (float)n;
#pragma acc loop vector reduction(+ : squares)
#pragma omp simd reduction(+ : squares)
            for (size_t j = 0; j < n; ++j) {
                float centred = x[i][j] - mean;
                squares += SQUARE(centred);
            }
            const float scale = 1.0f / sqrtf(squares / (float)n + EPSILON);
#pragma acc loop vector
#pragma omp simd
            for (size_t j = 0; j < n; ++j)
                y[i][j] = gamma[j] * ((x[i][j] - mean) * scale) + beta[j];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, n = COLUMNS, all = rows * n;
    float *x = NEW(float, all), *y = NEW(float, all), *gamma = NEW(float, n), *beta = NEW(float, n);
    double sum = 0;
    FILL(x, all, 4);
    FILL(gamma, n, 2);
    FILL(beta, n, 1);
#pragma acc enter data copyin(x[0:all], gamma[0:n], beta[0:n]) create(y[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        normalise(rows, n, x, gamma, beta, y);
#pragma acc update self(y[0:all])
    for (int i = 0; i < all; i++)
        sum += fabs(y[i]) * (1 + i % 7);
    report("layernorm", t.best, sum);
    return 0;
}
