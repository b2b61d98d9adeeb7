// Normalisation by groups of 8 of 256 channels, 64 images of 64 x 64 floats: mean and variance of a group, scale and offset of each channel, then SiLU.
#include "../kernels.h"

enum { IMAGES = 64, CHANNELS = 256, GROUPS = 32, EACH = CHANNELS / GROUPS, POINTS = 64 * 64 };

#if SPELLING == 1
static void normalise(int images, const float *restrict x, const float *restrict gamma, const float *restrict beta, float *restrict y)
{
    int all = images * CHANNELS * POINTS;
#pragma acc parallel loop gang collapse(2) present(x[0:all], gamma[0:CHANNELS], beta[0:CHANNELS], y[0:all])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < images; i++)
        for (int g = 0; g < GROUPS; g++) {
            float sum = 0, square = 0;
#pragma acc loop vector collapse(2) reduction(+ : sum, square)
            for (int c = 0; c < EACH; c++)
                for (int p = 0; p < POINTS; p++) {
                    float v = x[(i * CHANNELS + g * EACH + c) * POINTS + p];
                    sum += v;
                    square += v * v;
                }
            float mean = sum / (EACH * POINTS), scale = 1.0f / sqrtf(square / (EACH * POINTS) - mean * mean + 1e-5f);
#pragma acc loop vector collapse(2)
            for (int c = 0; c < EACH; c++)
                for (int p = 0; p < POINTS; p++) {
                    int channel = g * EACH + c, at = (i * CHANNELS + channel) * POINTS + p;
                    float v = (x[at] - mean) * scale * gamma[channel] + beta[channel];
                    y[at] = v / (1.0f + expf(-v));
                }
        }
}
#else
static float silu(float v) { return v / (1.0f + expf(-v)); }

static void normalise(unsigned images, float *in, float *gamma, float *beta, float *out)
{
    float(*x)[GROUPS][EACH][POINTS] = (void *)in, (*y)[GROUPS][EACH][POINTS] = (void *)out;
    float means[IMAGES][GROUPS], scales[IMAGES][GROUPS];
#pragma acc data create(means, scales) present(x[0:images], y[0:images], gamma[0:CHANNELS], beta[0:CHANNELS])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (unsigned i = 0; i < images; ++i)
            for (unsigned g = 0; g < GROUPS; ++g) {
                float mean = 0, variance = 0;
#pragma acc loop collapse(2) reduction(+ : mean)
                for (unsigned c = 0; c < EACH; ++c)
                    for (unsigned p = 0; p < POINTS; ++p)
                        mean += x[i][g][c][p];
                mean /= EACH * POINTS;
#pragma acc loop collapse(2) reduction(+ : variance)
                for (unsigned c = 0; c < EACH; ++c)
                    for (unsigned p = 0; p < POINTS; ++p)
                        variance += (x[i][g][c][p] - mean) * (x[i][g][c][p] - mean);
                means[i][g] = mean;
                scales[i][g] = 1.0f / sqrtf(variance / (EACH * POINTS) + 1e-5f);
            }
#pragma acc parallel loop collapse(4)
#pragma omp parallel for
        for (unsigned i = 0; i < images; ++i)
            for (unsigned g = 0; g < GROUPS; ++g)
                for (unsigned c = 0; c < EACH; ++c)
                    for (unsigned p = 0; p < POINTS; ++p)
                        y[i][g][c][p] = silu((x[i][g][c][p] - means[i][g]) * scales[i][g] * gamma[g * EACH + c] + beta[g * EACH + c]);
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift, all = images * CHANNELS * POINTS;
    float *x = NEW(float, all), *gamma = NEW(float, CHANNELS), *beta = NEW(float, CHANNELS), *y = NEW(float, all);
    double sum = 0;
    for (int k = 0; k < all; k++)
        x[k] = 3 * number(k) - 1.5;
    FILL(gamma, CHANNELS, 1);
    FILL(beta, CHANNELS, 0.3);
#pragma acc enter data copyin(x[0:all], gamma[0:CHANNELS], beta[0:CHANNELS]) create(y[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        normalise(images, x, gamma, beta, y);
#pragma acc update self(y[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(y[k]);
    report("groupnorm", t.best, sum);
    return 0;
}
