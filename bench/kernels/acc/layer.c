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
#elif SPELLING == 3
static void layer(int N, int C, int K, int HW, const float *in, const float *weights, const float *bias, float *out)
{
    const int P = HW + 2;
    const float(*x)[C][P][P] = (const float(*)[C][P][P])in;
    const float(*w)[C][3][3] = (const float(*)[C][3][3])weights;
    float(*y)[K][HW][HW] = (float(*)[K][HW][HW])out;
#pragma acc parallel loop gang collapse(2) num_workers(4) vector_length(64) present(x[0:N], w[0:K], bias[0:K], y[0:N])
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++) {
#pragma acc loop worker
            for (int i = 0; i < HW; i++) {
#pragma acc loop vector
                for (int j = 0; j < HW; j++) {
                    float acc = bias[k];
                    for (int c = 0; c < C; c++)
                        for (int r = 0; r < 3; r++)
                            for (int s = 0; s < 3; s++)
                                acc += x[n][c][i + r][j + s] * w[k][c][r][s];
                    if (acc < 0)
                        acc = 0;
                    y[n][k][i][j] = acc;
                }
            }
        }
}
#elif SPELLING == 4
static void layer(int images, int inputs, int outputs, int size, const float *restrict in, const float *restrict weights, const float *restrict bias,
                  float *restrict out)
{
    const int wide = size + 2, total = images * outputs * size * size;
#pragma acc kernels present(in, weights, bias, out)
    {
#pragma acc loop independent collapse(4)
        for (int b = 0; b < images; b++)
            for (int o = 0; o < outputs; o++)
                for (int y = 0; y < size; y++)
                    for (int x = 0; x < size; x++) {
                        const int at = ((b * outputs + o) * size + y) * size + x;
                        out[at] = bias[o];
                        for (int c = 0; c < inputs; c++) {
                            const float *k = weights + (o * inputs + c) * 9;
                            const float *p = in + ((b * inputs + c) * wide + y) * wide + x;
                            out[at] += k[0] * p[0] + k[1] * p[1] + k[2] * p[2];
                            p += wide;
                            out[at] += k[3] * p[0] + k[4] * p[1] + k[5] * p[2];
                            p += wide;
                            out[at] += k[6] * p[0] + k[7] * p[1] + k[8] * p[2];
                        }
                    }
#pragma acc loop independent
        for (int i = 0; i < total; i++)
            out[i] = out[i] > 0 ? out[i] : 0;
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
#if SPELLING == 1 || SPELLING == 3 || SPELLING == 4
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
