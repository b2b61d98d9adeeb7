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
#elif SPELLING == 3
static float row_mean[ROWS], row_rstd[ROWS];
#pragma acc declare create(row_mean, row_rstd)
static void normalise(int rows, int n, const float *x, const float *gamma, const float *beta, float *y)
{
#pragma acc data present(x[0:rows * n], gamma[0:n], beta[0:n], y[0:rows * n])
    {
#pragma acc parallel loop gang vector_length(256)
        for (int r = 0; r < rows; r++) {
            float s = 0.0f, s2 = 0.0f;
#pragma acc loop vector reduction(+ : s)
            for (int c = 0; c < n; c++)
                s += x[r * n + c];
            const float mu = s / n;
#pragma acc loop vector reduction(+ : s2)
            for (int c = 0; c < n; c++) {
                float d = x[r * n + c] - mu;
                s2 += d * d;
            }
            row_mean[r] = mu;
            row_rstd[r] = 1.0f / sqrtf(s2 / n + 1e-5f);
        }
#pragma acc parallel loop collapse(2)
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < n; c++)
                y[r * n + c] = (x[r * n + c] - row_mean[r]) * row_rstd[r] * gamma[c] + beta[c];
    }
}
#elif SPELLING == 4
typedef struct { const float *weight, *bias; float eps; unsigned width; } layer_norm;
static void layer_norm_forward(layer_norm ln, unsigned rows, const float *restrict inp, float *restrict out)
{
    const float *w = ln.weight, *b = ln.bias;
    const unsigned C = ln.width;
#pragma acc parallel loop gang worker vector_length(32) present(inp, out, w, b)
    for (unsigned t = 0; t < rows; t++) {
        const float *xr = inp + t * C;
        float *o = out + t * C;
        float m = 0.0f;
#pragma acc loop vector reduction(+ : m)
        for (unsigned i = 0; i < C; i++)
            m += xr[i];
        m = m / C;
        float v = 0.0f;
#pragma acc loop vector reduction(+ : v)
        for (unsigned i = 0; i < C; i++) {
            float xshift = xr[i] - m;
            v += xshift * xshift;
        }
        v = v / C;
        float s = 1.0f / sqrtf(v + ln.eps);
#pragma acc loop vector
        for (unsigned i = 0; i < C; i++) {
            float norm = s * (xr[i] - m);
            o[i] = norm * w[i] + b[i];
        }
    }
}
static void normalise(int rows, int n, const float *x, const float *gamma, const float *beta, float *y)
{
    layer_norm ln = {gamma, beta, 1e-5f, (unsigned)n};
    layer_norm_forward(ln, rows, x, y);
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
