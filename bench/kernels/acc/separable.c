// A separable convolution as networks for telephones have it, float: 16 images of 128 channels of 56 x 56; 3 x 3 weights for each channel by itself,
// then 1 x 1 from all channels to 128, both with bias and cut to 0 to 6.
#include "../kernels.h"

enum { IMAGES = 16, CHANNELS = 128, SIZE = 56 };

#if SPELLING == 1
static inline float relu6(float x) { return fminf(fmaxf(x, 0), 6); }

// Channel by channel.
static void block(int images, int channels, int outputs, int size, const float *restrict in, const float *restrict deep,
                  const float *restrict deep_bias, const float *restrict point, const float *restrict point_bias, float *restrict mid,
                  float *restrict out)
{
    int area = size * size, n = images * channels * area, m = images * outputs * area;
#pragma acc data present(in[0:n], deep[0:channels * 9], deep_bias[0:channels], point[0:outputs * channels], point_bias[0:outputs], mid[0:n], out[0:m])
    {
#pragma acc parallel loop collapse(4)
#pragma omp parallel for collapse(2)
        for (int i = 0; i < images; i++)
            for (int c = 0; c < channels; c++)
                for (int y = 0; y < size; y++)
                    for (int x = 0; x < size; x++) {
                        float sum = deep_bias[c];
                        for (int dy = -1; dy <= 1; dy++)
                            for (int dx = -1; dx <= 1; dx++)
                                if (y + dy >= 0 && y + dy < size && x + dx >= 0 && x + dx < size)
                                    sum += deep[c * 9 + (dy + 1) * 3 + dx + 1] * in[((i * channels + c) * size + y + dy) * size + x + dx];
                        mid[((i * channels + c) * size + y) * size + x] = relu6(sum);
                    }
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(2)
        for (int i = 0; i < images; i++)
            for (int o = 0; o < outputs; o++)
                for (int p = 0; p < area; p++) {
                    float sum = point_bias[o];
                    for (int c = 0; c < channels; c++)
                        sum += point[o * channels + c] * mid[(i * channels + c) * area + p];
                    out[(i * outputs + o) * area + p] = relu6(sum);
                }
    }
}
#else
#define RELU6(x) ((x) < 0.0f ? 0.0f : (x) > 6.0f ? 6.0f : (x))

typedef struct { size_t images, channels, outputs, size; } shape;

// All channels of a point together.
static void depthwise(shape s, float in[s.images][s.size][s.size][s.channels], float weight[3][3][s.channels], float bias[s.channels],
                      float out[s.images][s.size][s.size][s.channels])
{
    const size_t channels = s.channels, size = s.size;
#pragma acc parallel loop gang collapse(3) present(in[0:s.images], weight[0:3], bias[0:channels], out[0:s.images])
#pragma omp parallel for collapse(2)
    for (size_t i = 0; i < s.images; ++i)
        for (size_t y = 0; y < size; ++y)
            for (size_t x = 0; x < size; ++x) {
                const size_t top = y > 0 ? y - 1 : 0, bottom = y + 1 < size ? y + 1 : y, left = x > 0 ? x - 1 : 0, right = x + 1 < size ? x + 1 : x;
#pragma acc loop vector
                for (size_t c = 0; c < channels; ++c) {
                    float sum = bias[c];
                    for (size_t v = top; v <= bottom; ++v)
                        for (size_t u = left; u <= right; ++u)
                            sum += weight[v + 1 - y][u + 1 - x][c] * in[i][v][u][c];
                    out[i][y][x][c] = RELU6(sum);
                }
            }
}

static void pointwise(shape s, size_t points, float in[points][s.channels], float weight[s.channels][s.outputs], float bias[s.outputs],
                      float out[points][s.outputs])
{
    const size_t channels = s.channels, outputs = s.outputs;
#pragma acc parallel loop gang vector collapse(2) present(in[0:points], weight[0:channels], bias[0:outputs], out[0:points])
#pragma omp parallel for
    for (size_t p = 0; p < points; ++p)
        for (size_t o = 0; o < outputs; ++o) {
            float sum = bias[o];
#pragma acc loop seq
            for (size_t c = 0; c < channels; ++c)
                sum += in[p][c] * weight[c][o];
            out[p][o] = RELU6(sum);
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift / 2, channels = CHANNELS >> (args.shift + 1) / 2, size = SIZE, area = size * size;
    images = images > 0 ? images : 1;
    int n = images * channels * area;
    float *in = NEW(float, n), *deep = NEW(float, channels * 9), *deep_bias = NEW(float, channels), *mid = NEW(float, n), *out = NEW(float, n);
    float *point = NEW(float, channels *channels), *point_bias = NEW(float, channels);
    double sum = 0;
    FILL(in, n, 1);
    for (int i = 0; i < channels * 9; i++)
        deep[i] = number(i + 3) - 0.4;
    for (int i = 0; i < channels * channels; i++)
        point[i] = 0.5 * number(i + 7) - 0.22;
    for (int i = 0; i < channels; i++) {
        deep_bias[i] = 0.2 * number(i);
        point_bias[i] = number(i + 1) - 0.5;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(in[0:n], deep[0:channels * 9], deep_bias[0:channels], point[0:channels * channels], point_bias[0:channels])            \
    create(mid[0:n], out[0:n])
    while (lap(&t))
        block(images, channels, channels, size, in, deep, deep_bias, point, point_bias, mid, out);
#pragma acc update self(out[0:n])
    for (int i = 0; i < n; i++)
        sum += out[i] * (i / area % channels % 7 + 1);
#else
    float *last = NEW(float, n), *deep_last = NEW(float, channels * 9), *point_last = NEW(float, channels *channels);
    for (int i = 0; i < n; i++)
        last[(i / area / channels * area + i % area) * channels + i / area % channels] = in[i];
    for (int i = 0; i < channels * 9; i++)
        deep_last[i % 9 * channels + i / 9] = deep[i];
    for (int i = 0; i < channels * channels; i++)
        point_last[i % channels * channels + i / channels] = point[i];
#pragma acc enter data copyin(last[0:n], deep_last[0:channels * 9], deep_bias[0:channels], point_last[0:channels * channels]) \
    copyin(point_bias[0:channels]) create(mid[0:n], out[0:n])
    shape s = {(size_t)images, (size_t)channels, (size_t)channels, (size_t)size};
    while (lap(&t)) {
        depthwise(s, (float(*)[size][size][channels])last, (float(*)[3][channels])deep_last, deep_bias, (float(*)[size][size][channels])mid);
        pointwise(s, (size_t)images * area, (float(*)[channels])mid, (float(*)[channels])point_last, point_bias, (float(*)[channels])out);
    }
#pragma acc update self(out[0:n])
    for (int i = 0; i < n; i++)
        sum += out[i] * (i % channels % 7 + 1);
#endif
    report("separable", t.best, sum);
    return 0;
}
