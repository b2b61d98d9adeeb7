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
#elif SPELLING == 3
#define WT(k, j) conn[(k) * n2 + (j)]
static void layerforward(float *l1, float *l2, float *conn, int n1, int n2)
{
#pragma acc parallel loop gang vector_length(256) present(l1[0:n1 + 1], l2[0:n2], conn[0:(n1 + 1) * n2])
    for (int j = 0; j < n2; j++) {
        float sum = 0.0f;
#pragma acc loop vector reduction(+ : sum)
        for (int k = 0; k <= n1; k++)
            sum += WT(k, j) * l1[k];
        l2[j] = 1.0f / (1.0f + expf(-sum));
    }
}
static void output_error(float *delta, float *target, float *output, int nj)
{
#pragma acc parallel loop present(delta[0:nj], target[0:nj], output[0:nj])
    for (int j = 0; j < nj; j++) {
        float o = output[j];
        float t = target[j];
        delta[j] = o * (1.0f - o) * (t - o);
    }
}
static void adjust_weights(float *delta, int ndelta, float *ly, int nly, float *w, float *oldw)
{
#pragma acc parallel loop collapse(2) present(delta[0:ndelta], ly[0:nly + 1], w[0:(nly + 1) * ndelta], oldw[0:(nly + 1) * ndelta])
    for (int k = 0; k <= nly; k++)
        for (int j = 0; j < ndelta; j++) {
            float new_dw = (0.3f * delta[j] * ly[k]) + (0.3f * oldw[k * ndelta + j]);
            w[k * ndelta + j] += new_dw;
            oldw[k * ndelta + j] = new_dw;
        }
}
static void train(int n, int m, float *in, float *w, float *old, float *out, float *target, float *delta)
{
    layerforward(in, out, w, n, m);
    output_error(delta, target, out, m);
    adjust_weights(delta, m, in, n, w, old);
}
#elif SPELLING == 4
static void train(int n, int m, const float *in, float *pw, float *pold, float *out, const float *target, float *delta)
{
    float(*w)[m] = (float(*)[m])pw, (*old)[m] = (float(*)[m])pold;
    const float eta = 0.3f, momentum = 0.3f;
#pragma acc data present(in[0:n + 1], w[0:n + 1], old[0:n + 1], out[0:m], target[0:m], delta[0:m])
    {
#pragma acc kernels loop independent gang worker
        for (int j = 0; j < m; j++) {
            float net = 0;
#pragma acc loop independent vector reduction(+ : net)
            for (int i = 0; i < n + 1; i++)
                net += in[i] * w[i][j];
            float o = 1.0f / (1.0f + expf(-net));
            out[j] = o;
            delta[j] = o * (1.0f - o) * (target[j] - o);
        }
#pragma acc kernels loop independent
        for (int i = 0; i < n + 1; i++) {
            const float x = eta * in[i];
            for (int j = 0; j < m; j++) {
                old[i][j] = x * delta[j] + momentum * old[i][j];
                w[i][j] += old[i][j];
            }
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
