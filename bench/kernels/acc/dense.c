// A layer of 1000 outputs of a network for 2048 samples of 784 numbers, float: a row of weights for each output, a bias, and what is below zero
// cut off.
#include "../kernels.h"

enum { SAMPLES = 2048, INPUTS = 784, OUTPUTS = 1000 };

#if SPELLING == 1
static void layer(int samples, int inputs, int outputs, const float *restrict x, const float *restrict w, const float *restrict bias,
                  float *restrict y)
{
#pragma acc parallel loop collapse(2) present(x[0:samples * inputs], w[0:outputs * inputs], bias[0:outputs], y[0:samples * outputs])
#pragma omp parallel for
    for (int s = 0; s < samples; s++)
        for (int o = 0; o < outputs; o++) {
            float sum = bias[o];
            for (int k = 0; k < inputs; k++)
                sum += x[s * inputs + k] * w[o * inputs + k];
            y[s * outputs + o] = fmaxf(sum, 0);
        }
}
#else
static inline float dot(const float *a, const float *b, size_t n)
{
    float sum = 0;
    for (size_t k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

static void layer(size_t samples, size_t inputs, size_t outputs, const float *x, const float *w, const float *bias, float *y)
{
#pragma acc kernels loop independent gang present(x[0:samples * inputs], w[0:outputs * inputs], bias[0:outputs], y[0:samples * outputs])
#pragma omp parallel for
    for (size_t s = 0; s < samples; ++s) {
        const float *row = x + s * inputs;
#pragma acc loop independent vector
        for (size_t o = 0; o < outputs; ++o) {
            const float sum = dot(row, w + o * inputs, inputs) + bias[o];
            y[s * outputs + o] = sum > 0.0f ? sum : 0.0f;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int samples = SAMPLES >> (args.shift + 1) / 2, inputs = INPUTS >> args.shift / 4, outputs = OUTPUTS >> args.shift / 2;
    float *x = NEW(float, samples *inputs), *w = NEW(float, outputs *inputs), *bias = NEW(float, outputs), *y = NEW(float, samples *outputs);
    double sum = 0;
    FILL(x, samples * inputs, 1);
    for (int k = 0; k < outputs * inputs; k++)
        w[k] = (float)(number(k + 5) - 0.5);
    FILL(bias, outputs, 1);
#pragma acc enter data copyin(x[0:samples * inputs], w[0:outputs * inputs], bias[0:outputs]) create(y[0:samples * outputs])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        layer(samples, inputs, outputs, x, w, bias, y);
#pragma acc update self(y[0:samples * outputs])
    SUM(sum, y, samples * outputs);
    report("dense", t.best, sum);
    return 0;
}
