// A step of training of a layer of 65536 inputs and 16 hidden units, float: sums of weighted inputs, and the weights' changes.
#include "../kernels.h"

enum { INPUTS = 65536, HIDDEN = 16 };

#if SPELLING == 1
static void train(int n, int m, const float *restrict in, float *restrict w, float *restrict old, float *restrict out,
                  const float *restrict target, float *restrict delta)
{
#pragma acc data present(in[0:n + 1], w[0:(n + 1) * m], old[0:(n + 1) * m], out[0:m], target[0:m], delta[0:m])
    {
#pragma acc parallel loop gang
#pragma omp parallel for
        for (int j = 0; j < m; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k <= n; k++)
                sum += w[k * m + j] * in[k];
            out[j] = 1 / (1 + expf(-sum));
        }
#pragma acc parallel loop
        for (int j = 0; j < m; j++)
            delta[j] = out[j] * (1 - out[j]) * (target[j] - out[j]);
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int k = 0; k <= n; k++)
            for (int j = 0; j < m; j++) {
                float change = 0.3f * delta[j] * in[k] + 0.3f * old[k * m + j];
                w[k * m + j] += change;
                old[k * m + j] = change;
            }
    }
}
#else
#define ETA 0.3f
#define MOMENTUM 0.3f

static float squash(float x) { return 1.0f / (1.0f + expf(-x)); }

static void train(size_t n, size_t m, float *in, float *weights, float *before, float *out, float *target, float *delta)
{
    float(*w)[m] = (float(*)[m])weights, (*old)[m] = (float(*)[m])before;
#pragma acc data present(in[0:n + 1], w[0:n + 1][0:m], old[0:n + 1][0:m], out[0:m], target[0:m], delta[0:m])
    {
#pragma acc kernels
        {
#pragma acc loop independent
#pragma omp parallel for
            for (size_t j = 0; j < m; ++j) {
                float sum = w[0][j] * in[0];
                for (size_t k = 1; k <= n; ++k)
                    sum += w[k][j] * in[k];
                out[j] = squash(sum);
            }
#pragma acc loop independent
            for (size_t j = 0; j < m; ++j) {
                float o = out[j];
                delta[j] = o * (1.0f - o) * (target[j] - o);
            }
        }
#pragma acc parallel loop gang worker
#pragma omp parallel for
        for (size_t k = 0; k <= n; ++k)
#pragma acc loop vector
            for (size_t j = 0; j < m; ++j) {
                float change = ETA * delta[j] * in[k] + MOMENTUM * old[k][j];
                w[k][j] += change;
                old[k][j] = change;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = INPUTS >> args.shift, m = HIDDEN, all = (n + 1) * m;
    float *in = NEW(float, n + 1), *w = NEW(float, all), *old = NEW(float, all), *out = NEW(float, m), *target = NEW(float, m),
          *delta = NEW(float, m);
    double sum = 0;
    FILL(in, n + 1, 1);
    FILL(target, m, 1);
    for (int k = 0; k < all; k++) {
        w[k] = (number(3 * k) - 0.5f) * 0.01f;
        old[k] = 0;
    }
#pragma acc enter data copyin(in[0:n + 1], w[0:all], old[0:all], target[0:m]) create(out[0:m], delta[0:m])
    struct watch t = watch(args.repeats);
    train(n, m, in, w, old, out, target, delta);
#pragma acc update self(w[0:all], out[0:m])
    for (int k = 0; k < all; k++)
        sum += fabs(w[k]);
    for (int j = 0; j < m; j++)
        sum += out[j];
    while (lap(&t))
        train(n, m, in, w, old, out, target, delta);
    report("backprop", t.best, sum);
    return 0;
}
