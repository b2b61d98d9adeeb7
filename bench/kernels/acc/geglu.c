// A gated unit with GELU (by tanh) for 8192 tokens of 4096 floats, and its results as signed bytes with a scale for each token by the largest of them.
#include "../kernels.h"

enum { TOKENS = 8192, HIDDEN = 4096 };

#if SPELLING == 1
static inline float gelu(float x)
{
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

static void gated(int n, const float *restrict x, const float *restrict bias, float *restrict y, signed char *restrict q, float *restrict scale)
{
#pragma acc parallel loop gang present(x[0:n * 2 * HIDDEN], bias[0:2 * HIDDEN], y[0:n * HIDDEN], q[0:n * HIDDEN], scale[0:n])
#pragma omp parallel for
    for (int t = 0; t < n; t++) {
        float largest = 0;
#pragma acc loop vector reduction(max : largest)
        for (int j = 0; j < HIDDEN; j++) {
            float a = x[t * 2 * HIDDEN + j] + bias[j], b = x[t * 2 * HIDDEN + HIDDEN + j] + bias[HIDDEN + j];
            float v = gelu(a) * b;
            y[t * HIDDEN + j] = v;
            largest = fmaxf(largest, fabsf(v));
        }
        float s = largest / 127.0f;
#pragma acc loop vector
        for (int j = 0; j < HIDDEN; j++)
            q[t * HIDDEN + j] = (signed char)rintf(y[t * HIDDEN + j] / s);
        scale[t] = s;
    }
}
#else
#define GELU(x) ((x) / (1.0f + expf(-1.5957691216f * ((x) + 0.044715f * (x) * (x) * (x)))))

static void gated(size_t n, float *in, float *bias, float *out, signed char *bytes, float *scale)
{
    float(*x)[2][HIDDEN] = (void *)in, (*y)[HIDDEN] = (void *)out;
    signed char(*q)[HIDDEN] = (void *)bytes;
#pragma acc kernels present(x[0:n], bias[0:2 * HIDDEN], y[0:n], q[0:n], scale[0:n])
    {
#pragma acc loop independent collapse(2)
#pragma omp parallel for
        for (size_t t = 0; t < n; ++t)
            for (size_t j = 0; j < HIDDEN; ++j) {
                float a = x[t][0][j] + bias[j];
                y[t][j] = GELU(a) * (x[t][1][j] + bias[HIDDEN + j]);
            }
#pragma acc loop independent
#pragma omp parallel for
        for (size_t t = 0; t < n; ++t) {
            float largest = 0;
#pragma acc loop reduction(max : largest)
            for (size_t j = 0; j < HIDDEN; ++j)
                if (fabsf(y[t][j]) > largest)
                    largest = fabsf(y[t][j]);
            scale[t] = largest / 127.0f;
        }
#pragma acc loop independent collapse(2)
#pragma omp parallel for
        for (size_t t = 0; t < n; ++t)
            for (size_t j = 0; j < HIDDEN; ++j)
                q[t][j] = rintf(y[t][j] / scale[t]);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = TOKENS >> args.shift, all = n * HIDDEN;
    float *x = NEW(float, 2l * all), *bias = NEW(float, 2 * HIDDEN), *y = NEW(float, all), *scale = NEW(float, n);
    signed char *q = NEW(signed char, all);
    double sum = 0;
    for (long k = 0; k < 2l * all; k++)
        x[k] = 4 * number((unsigned)k) - 2;
    FILL(bias, 2 * HIDDEN, 0.5);
#pragma acc enter data copyin(x[0:2 * all], bias[0:2 * HIDDEN]) create(y[0:all], q[0:all], scale[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        gated(n, x, bias, y, q, scale);
#pragma acc update self(q[0:all], scale[0:n])
    for (int k = 0; k < all; k++)
        sum += abs(q[k]);
    SUM(sum, scale, n);
    report("geglu", t.best, sum);
    return 0;
}
