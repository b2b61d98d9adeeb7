// A layer of a convolutional network: 64 channels of 64 x 64 from 32 channels by 3 x 3 weights, with bias and ReLU, 4 images, float.
#include "../kernels.h"

enum { IMAGES = 4, INPUTS = 32, OUTPUTS = 64, SIZE = 64 };

#if SPELLING == 1
static void layer(int images, int inputs, int outputs, int size, const float *restrict in, const float *restrict weights,
                  const float *restrict bias, float *restrict out)
{
    int wide = size + 2;
#pragma acc parallel loop collapse(4) present(in[0:images * inputs * wide * wide], weights[0:outputs * inputs * 9]) \
    present(bias[0:outputs], out[0:images * outputs * size * size])
#pragma omp parallel for collapse(4)
    for (int b = 0; b < images; b++)
        for (int o = 0; o < outputs; o++)
            for (int y = 0; y < size; y++)
                for (int x = 0; x < size; x++) {
                    float sum = bias[o];
                    for (int c = 0; c < inputs; c++)
                        for (int dy = 0; dy < 3; dy++)
                            for (int dx = 0; dx < 3; dx++)
                                sum += weights[((o * inputs + c) * 3 + dy) * 3 + dx] *
                                       in[((b * inputs + c) * wide + y + dy) * wide + x + dx];
                    out[((b * outputs + o) * size + y) * size + x] = fmaxf(sum, 0);
                }
}
#else
typedef float plane[SIZE + 2][SIZE + 2];

static void layer(long images, plane (*in)[INPUTS], float (*weights)[INPUTS][3][3], float *bias,
                  float (*out)[OUTPUTS][SIZE][SIZE])
{
#pragma acc parallel present(in[0:images], weights[0:OUTPUTS], bias[0:OUTPUTS], out[0:images])
    {
#pragma acc loop gang collapse(2)
#pragma omp parallel for collapse(2)
        for (long b = 0; b < images; ++b)
            for (long o = 0; o < OUTPUTS; ++o) {
#pragma acc loop worker vector collapse(2)
                for (unsigned y = 0; y < SIZE; ++y)
                    for (unsigned x = 0; x < SIZE; ++x) {
                        float sum = bias[o];
                        for (unsigned c = 0; c < INPUTS; ++c)
                            for (unsigned k = 0; k < 9; ++k)
                                sum += weights[o][c][k / 3][k % 3] * in[b][c][y + k / 3][x + k % 3];
                        out[b][o][y][x] = sum > 0 ? sum : 0;
                    }
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES, wide = SIZE + 2, size = SIZE, taken = images * INPUTS * wide * wide;
    int given = images * OUTPUTS * size * size;
    float *in = NEW(float, taken), *weights = NEW(float, OUTPUTS * INPUTS * 9), bias[OUTPUTS], *out = NEW(float, given);
    double sum = 0;
    if (args.shift)
        images = 1;
    FILL(in, taken, 1);
    for (int k = 0; k < OUTPUTS * INPUTS * 9; k++)
        weights[k] = number(k) - 0.5;
    FILL(bias, OUTPUTS, 1);
#pragma acc enter data copyin(in[0:taken], weights[0:OUTPUTS * INPUTS * 9], bias[0:OUTPUTS]) create(out[0:given])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        layer(images, INPUTS, OUTPUTS, SIZE, in, weights, bias, out);
#else
        layer(images, (plane(*)[INPUTS])in, (float (*)[INPUTS][3][3])weights, bias, (float (*)[OUTPUTS][SIZE][SIZE])out);
#endif
    }
    int done = images * OUTPUTS * size * size;
#pragma acc update self(out[0:done])
    for (int k = 0; k < done; k++)
        sum += out[k] * (1 + k % 7);
    report("layer", t.best, sum);
    return 0;
}
