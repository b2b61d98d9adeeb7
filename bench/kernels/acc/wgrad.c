// What the weights of a layer of 3 x 3 convolutions learn from a batch, float: 32 images of 28 x 28 with 64 channels on both sides; for each of 64 x 64 x 9
// weights the sum over all images and pixels, and for each bias one as well.
#include "../kernels.h"

enum { IMAGES = 32, CHANNELS = 64, SIDE = 28, AREA = SIDE * SIDE, TAPS = 9 };

#if SPELLING == 1
static void wgrad(int images, const float *restrict in, const float *restrict slope, float *restrict weight, float *restrict bias)
{
    int all = images * CHANNELS * AREA;
#pragma acc data present(in[0:all], slope[0:all], weight[0:CHANNELS * CHANNELS * TAPS], bias[0:CHANNELS])
    {
#pragma acc parallel loop gang collapse(3) vector_length(128)
#pragma omp parallel for collapse(2)
        for (int k = 0; k < CHANNELS; k++)
            for (int c = 0; c < CHANNELS; c++)
                for (int tap = 0; tap < TAPS; tap++) {
                    int dy = tap / 3 - 1, dx = tap % 3 - 1;
                    float sum = 0;
#pragma acc loop vector collapse(3) reduction(+ : sum)
                    for (int i = 0; i < images; i++)
                        for (int y = 0; y < SIDE; y++)
                            for (int x = 0; x < SIDE; x++)
                                if (y + dy >= 0 && y + dy < SIDE && x + dx >= 0 && x + dx < SIDE)
                                    sum += slope[((i * CHANNELS + k) * SIDE + y) * SIDE + x] * in[((i * CHANNELS + c) * SIDE + y + dy) * SIDE + x + dx];
                    weight[(k * CHANNELS + c) * TAPS + tap] = sum;
                }
#pragma acc parallel loop gang vector_length(256)
#pragma omp parallel for
        for (int k = 0; k < CHANNELS; k++) {
            float sum = 0;
#pragma acc loop vector collapse(2) reduction(+ : sum)
            for (int i = 0; i < images; i++)
                for (int at = 0; at < AREA; at++)
                    sum += slope[(i * CHANNELS + k) * AREA + at];
            bias[k] = sum;
        }
    }
}
#else
typedef float plane[SIDE][SIDE], padded[SIDE + 2][SIDE + 2];

static void wgrad(size_t images, plane (*in)[CHANNELS], plane (*slope)[CHANNELS], padded (*wide)[CHANNELS], float (*weight)[CHANNELS][3][3], float *bias)
{
#pragma acc data present(in[0:images], slope[0:images], wide[0:images], weight[0:CHANNELS], bias[0:CHANNELS])
    {
        // A border of zeros around each plane spares all questions later.
#pragma acc parallel loop gang collapse(2) async(1)
#pragma omp parallel for collapse(2)
        for (size_t i = 0; i < images; ++i)
            for (size_t c = 0; c < CHANNELS; ++c)
#pragma acc loop vector collapse(2)
                for (size_t y = 0; y < SIDE + 2; ++y)
                    for (size_t x = 0; x < SIDE + 2; ++x)
                        wide[i][c][y][x] = y == 0 || y == SIDE + 1 || x == 0 || x == SIDE + 1 ? 0 : in[i][c][y - 1][x - 1];
#pragma acc parallel loop gang collapse(2) async(1)
#pragma omp parallel for collapse(2)
        for (size_t k = 0; k < CHANNELS; ++k)
            for (size_t c = 0; c < CHANNELS; ++c) {
                float a0 = 0, a1 = 0, a2 = 0, b0 = 0, b1 = 0, b2 = 0, c0 = 0, c1 = 0, c2 = 0;
#pragma acc loop vector collapse(3) reduction(+ : a0, a1, a2, b0, b1, b2, c0, c1, c2)
                for (size_t i = 0; i < images; ++i)
                    for (size_t y = 0; y < SIDE; ++y)
                        for (size_t x = 0; x < SIDE; ++x) {
                            float s = slope[i][k][y][x];
                            a0 += s * wide[i][c][y][x];
                            a1 += s * wide[i][c][y][x + 1];
                            a2 += s * wide[i][c][y][x + 2];
                            b0 += s * wide[i][c][y + 1][x];
                            b1 += s * wide[i][c][y + 1][x + 1];
                            b2 += s * wide[i][c][y + 1][x + 2];
                            c0 += s * wide[i][c][y + 2][x];
                            c1 += s * wide[i][c][y + 2][x + 1];
                            c2 += s * wide[i][c][y + 2][x + 2];
                        }
                float nine[3][3] = {{a0, a1, a2}, {b0, b1, b2}, {c0, c1, c2}};
                for (int y = 0; y < 3; ++y)
                    for (int x = 0; x < 3; ++x)
                        weight[k][c][y][x] = nine[y][x];
            }
#pragma acc parallel loop gang async(2)
#pragma omp parallel for
        for (size_t k = 0; k < CHANNELS; ++k) {
            float sum = 0;
#pragma acc loop vector collapse(3) reduction(+ : sum)
            for (size_t i = 0; i < images; ++i)
                for (size_t y = 0; y < SIDE; ++y)
                    for (size_t x = 0; x < SIDE; ++x)
                        sum += slope[i][k][y][x];
            bias[k] = sum;
        }
#pragma acc wait
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift, all = images * CHANNELS * AREA, weights = CHANNELS * CHANNELS * TAPS;
    float *in = NEW(float, all), *slope = NEW(float, all), *weight = NEW(float, weights), *bias = NEW(float, CHANNELS);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        in[k] = fmax(0.0, number(k) - 0.3);
        slope[k] = number(k + 3000017) - 0.2;
    }
#pragma acc enter data copyin(in[0:all], slope[0:all]) create(weight[0:weights], bias[0:CHANNELS])
#if SPELLING == 2
    padded(*wide)[CHANNELS] = malloc(images * sizeof *wide);
#pragma acc enter data create(wide[0:images])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        wgrad(images, in, slope, weight, bias);
#else
        wgrad(images, (void *)in, (void *)slope, wide, (void *)weight, bias);
#endif
    }
#pragma acc update self(weight[0:weights], bias[0:CHANNELS])
    for (int k = 0; k < weights; k++)
        sum += weight[k] * (1 + k % 9);
    SUM(sum, bias, CHANNELS);
    report("wgrad", t.best, sum);
    return 0;
}
