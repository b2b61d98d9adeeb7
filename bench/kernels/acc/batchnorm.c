// Batch normalisation as in training, float: 64 images of 256 channels of 28 x 28. Mean and variance of each channel over all images, then scale,
// offset and ReLU, and running statistics for later.
#include "../kernels.h"

enum { IMAGES = 64, CHANNELS = 256, AREA = 28 * 28 };

#if SPELLING == 1
static void normalise(int images, const float *restrict x, const float *restrict gamma, const float *restrict beta, float *restrict mean,
                      float *restrict variance, float *restrict running, float *restrict y)
{
    int all = images * CHANNELS * AREA;
    float count = images * AREA;
#pragma acc parallel loop gang present(x[0:all], mean[0:CHANNELS], variance[0:CHANNELS], running[0:2 * CHANNELS])
#pragma omp parallel for
    for (int c = 0; c < CHANNELS; c++) {
        float sum = 0, squares = 0;
#pragma acc loop vector collapse(2) reduction(+ : sum, squares)
        for (int i = 0; i < images; i++)
            for (int p = 0; p < AREA; p++) {
                float v = x[(i * CHANNELS + c) * AREA + p];
                sum += v;
                squares += v * v;
            }
        mean[c] = sum / count;
        variance[c] = squares / count - mean[c] * mean[c];
        running[c] = 0.9f * running[c] + 0.1f * mean[c];
        running[CHANNELS + c] = 0.9f * running[CHANNELS + c] + 0.1f * variance[c] * count / (count - 1);
    }
#pragma acc parallel loop collapse(3) present(x[0:all], y[0:all], gamma[0:CHANNELS], beta[0:CHANNELS], mean[0:CHANNELS], variance[0:CHANNELS])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < images; i++)
        for (int c = 0; c < CHANNELS; c++)
            for (int p = 0; p < AREA; p++) {
                int at = (i * CHANNELS + c) * AREA + p;
                y[at] = fmaxf(0, (x[at] - mean[c]) / sqrtf(variance[c] + 1e-5f) * gamma[c] + beta[c]);
            }
}
#elif SPELLING == 3
static void channel_stats(int batch, const float *x, float *mean, float *variance)
{
#pragma acc parallel loop gang vector_length(256) present(x[0:batch * CHANNELS * AREA], mean[0:CHANNELS], variance[0:CHANNELS])
    for (int f = 0; f < CHANNELS; f++) {
        float s = 0, s2 = 0;
#pragma acc loop vector collapse(2) reduction(+ : s, s2)
        for (int j = 0; j < batch; j++)
            for (int k = 0; k < AREA; k++) {
                int index = j * CHANNELS * AREA + f * AREA + k;
                s += x[index];
                s2 += x[index] * x[index];
            }
        mean[f] = s / (batch * AREA);
        variance[f] = s2 / (batch * AREA) - mean[f] * mean[f];
    }
}
static void update_running(int batch, const float *mean, const float *variance, float *running)
{
    const float m = batch * AREA;
#pragma acc parallel loop present(mean[0:CHANNELS], variance[0:CHANNELS], running[0:2 * CHANNELS])
    for (int f = 0; f < CHANNELS; f++) {
        running[f] = .9f * running[f] + .1f * mean[f];
        running[f + CHANNELS] = .9f * running[f + CHANNELS] + .1f * variance[f] * m / (m - 1);
    }
}
static void normalise(int batch, float *x, float *gamma, float *beta, float *mean, float *variance, float *running, float *y)
{
    channel_stats(batch, x, mean, variance);
    update_running(batch, mean, variance, running);
    const int all = batch * CHANNELS * AREA;
#pragma acc parallel loop present(x[0:all], y[0:all], gamma[0:CHANNELS], beta[0:CHANNELS], mean[0:CHANNELS], variance[0:CHANNELS])
    for (int index = 0; index < all; index++) {
        int f = (index / AREA) % CHANNELS;
        float v = (x[index] - mean[f]) / sqrtf(variance[f] + 1e-5f);
        v = v * gamma[f] + beta[f];
        y[index] = v > 0 ? v : 0;
    }
}
#elif SPELLING == 4
static void normalise(long images, const float *restrict x, const float *restrict gamma, const float *restrict beta, float *restrict mean,
                      float *restrict variance, float *restrict running, float *restrict y)
{
    const long all = images * CHANNELS * AREA, stride = (long)CHANNELS * AREA;
    const float count = images * AREA;
#pragma acc parallel loop gang vector_length(512) present(x[0:all], y[0:all], gamma[0:CHANNELS], beta[0:CHANNELS], mean[0:CHANNELS], \
                                                          variance[0:CHANNELS], running[0:2 * CHANNELS])
    for (long c = 0; c < CHANNELS; c++) {
        const float *xc = x + c * AREA;
        float *yc = y + c * AREA;
        float s = 0, ss = 0;
#pragma acc loop vector reduction(+ : s, ss)
        for (long k = 0; k < images * AREA; k++) {
            const float v = xc[k / AREA * stride + k % AREA];
            s += v;
            ss += v * v;
        }
        const float mu = s / count, var = ss / count - mu * mu;
        mean[c] = mu;
        variance[c] = var;
        running[c] = 0.9f * running[c] + 0.1f * mu;
        running[CHANNELS + c] = 0.9f * running[CHANNELS + c] + 0.1f * var * count / (count - 1);
        const float sd = sqrtf(var + 1e-5f), g = gamma[c], b = beta[c];
#pragma acc loop vector
        for (long k = 0; k < images * AREA; k++) {
            const long at = k / AREA * stride + k % AREA;
            yc[at] = fmaxf(0.0f, (xc[at] - mu) / sd * g + b);
        }
    }
}
#else
typedef float image[CHANNELS][AREA];

static inline float relu(float v) { return v > 0.f ? v : 0.f; }

static void normalise(unsigned images, float *px, float *gamma, float *beta, float *mean, float *variance, float *running, float *py)
{
    image *x = (image *)px, *y = (image *)py;
    const unsigned count = images * AREA;
#pragma acc data present(x[0:images], y[0:images], gamma[0:CHANNELS], beta[0:CHANNELS], mean[0:CHANNELS], variance[0:CHANNELS]) \
    present(running[0:2 * CHANNELS])
    {
#pragma acc parallel loop gang num_gangs(CHANNELS) vector_length(256)
#pragma omp parallel for
        for (unsigned c = 0; c < CHANNELS; ++c) {
            float s = 0.f, q = 0.f;
#pragma acc loop seq
            for (unsigned i = 0; i < images; ++i) {
#pragma acc loop vector reduction(+ : s, q)
                for (unsigned p = 0; p < AREA; ++p) {
                    s += x[i][c][p];
                    q += x[i][c][p] * x[i][c][p];
                }
            }
            const float m = s / count, v = q / count - m * m;
            mean[c] = m;
            variance[c] = v;
            running[c] += 0.1f * (m - running[c]);
            running[c + CHANNELS] += 0.1f * (v * count / (count - 1) - running[c + CHANNELS]);
        }
#pragma acc parallel loop gang collapse(2)
#pragma omp parallel for collapse(2)
        for (unsigned i = 0; i < images; ++i)
            for (unsigned c = 0; c < CHANNELS; ++c) {
                const float scale = gamma[c] / sqrtf(variance[c] + 1e-5f), shift = beta[c] - mean[c] * scale;
#pragma acc loop vector
                for (unsigned p = 0; p < AREA; ++p)
                    y[i][c][p] = relu(x[i][c][p] * scale + shift);
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift, all = images * CHANNELS * AREA;
    float *x = NEW(float, all), *y = NEW(float, all), *gamma = NEW(float, CHANNELS), *beta = NEW(float, CHANNELS),
          *mean = NEW(float, CHANNELS), *variance = NEW(float, CHANNELS), *running = NEW(float, 2 * CHANNELS);
    double sum = 0;
    // quarters, whose sums are exact in any order
    for (int k = 0; k < all; k++)
        x[k] = (int)(mix(k) % 16) * 0.25f - 2;
    FILL(gamma, CHANNELS, 2);
    FILL(beta, CHANNELS, 1);
    FILL(running, 2 * CHANNELS, 1);
#pragma acc enter data copyin(x[0:all], gamma[0:CHANNELS], beta[0:CHANNELS], running[0:2 * CHANNELS]) \
    create(y[0:all], mean[0:CHANNELS], variance[0:CHANNELS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        normalise(images, x, gamma, beta, mean, variance, running, y);
#pragma acc update self(y[0:all], running[0:2 * CHANNELS])
    SUM(sum, y, all);
    SUM(sum, running, 2 * CHANNELS);
    report("batchnorm", t.best, sum);
    return 0;
}
