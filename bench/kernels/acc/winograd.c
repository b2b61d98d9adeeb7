// A layer of 3 x 3 convolutions by Winograd's method, float: 8 images of 64 channels of 56 x 56 give 64 channels. Tiles of 4 x 4 points and the
// weights are transformed, for each of the 16 places of a tile a product of matrices sums over the channels, and each result gives 2 x 2 points.
#include "../kernels.h"

enum { IMAGES = 8, CHANNELS = 64, FILTERS = 64, SIDE = 56 };

#if SPELLING == 1
static void weights(const float *restrict g, float *restrict u)
{
#pragma acc parallel loop collapse(2) present(g[0:FILTERS * CHANNELS * 9], u[0:16 * FILTERS * CHANNELS])
#pragma omp parallel for
    for (int k = 0; k < FILTERS; k++)
        for (int c = 0; c < CHANNELS; c++) {
            const float *w = g + (k * CHANNELS + c) * 9;
            float t[12];
            for (int j = 0; j < 3; j++) {
                t[j] = w[j];
                t[3 + j] = 0.5f * (w[j] + w[3 + j] + w[6 + j]);
                t[6 + j] = 0.5f * (w[j] - w[3 + j] + w[6 + j]);
                t[9 + j] = w[6 + j];
            }
            for (int i = 0; i < 4; i++) {
                float a = t[3 * i], b = t[3 * i + 1], d = t[3 * i + 2];
                u[((4 * i + 0) * FILTERS + k) * CHANNELS + c] = a;
                u[((4 * i + 1) * FILTERS + k) * CHANNELS + c] = 0.5f * (a + b + d);
                u[((4 * i + 2) * FILTERS + k) * CHANNELS + c] = 0.5f * (a - b + d);
                u[((4 * i + 3) * FILTERS + k) * CHANNELS + c] = d;
            }
        }
}

static void convolve(int images, int side, const float *restrict in, const float *restrict g, const float *restrict bias, float *restrict u,
                     float *restrict v, float *restrict m, float *restrict out)
{
    const int w = side + 2, half = side / 2, tiles = images * half * half;
    weights(g, u);
#pragma acc data present(in[0:images * CHANNELS * w * w], bias[0:FILTERS], u[0:16 * FILTERS * CHANNELS], v[0:16 * CHANNELS * tiles],              \
                             m[0:16 * FILTERS * tiles], out[0:images * FILTERS * side * side])
    {
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int c = 0; c < CHANNELS; c++)
            for (int p = 0; p < tiles; p++) {
                int image = p / (half * half), y = p / half % half * 2, x = p % half * 2;
                const float *d = in + ((image * CHANNELS + c) * w + y) * w + x;
                float t[16];
                for (int j = 0; j < 4; j++) {
                    t[j] = d[j] - d[2 * w + j];
                    t[4 + j] = d[w + j] + d[2 * w + j];
                    t[8 + j] = d[2 * w + j] - d[w + j];
                    t[12 + j] = d[w + j] - d[3 * w + j];
                }
                for (int i = 0; i < 4; i++) {
                    v[((4 * i + 0) * CHANNELS + c) * tiles + p] = t[4 * i] - t[4 * i + 2];
                    v[((4 * i + 1) * CHANNELS + c) * tiles + p] = t[4 * i + 1] + t[4 * i + 2];
                    v[((4 * i + 2) * CHANNELS + c) * tiles + p] = t[4 * i + 2] - t[4 * i + 1];
                    v[((4 * i + 3) * CHANNELS + c) * tiles + p] = t[4 * i + 1] - t[4 * i + 3];
                }
            }
#pragma acc parallel loop collapse(3)
#pragma omp parallel for collapse(2)
        for (int e = 0; e < 16; e++)
            for (int k = 0; k < FILTERS; k++)
                for (int p = 0; p < tiles; p++) {
                    float sum = 0;
                    for (int c = 0; c < CHANNELS; c++)
                        sum += u[(e * FILTERS + k) * CHANNELS + c] * v[(e * CHANNELS + c) * tiles + p];
                    m[(e * FILTERS + k) * tiles + p] = sum;
                }
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int k = 0; k < FILTERS; k++)
            for (int p = 0; p < tiles; p++) {
                int image = p / (half * half), y = p / half % half * 2, x = p % half * 2;
                float t[8], *o = out + ((image * FILTERS + k) * side + y) * side + x;
                for (int j = 0; j < 4; j++) {
                    float m0 = m[(j * FILTERS + k) * tiles + p], m1 = m[((4 + j) * FILTERS + k) * tiles + p];
                    float m2 = m[((8 + j) * FILTERS + k) * tiles + p], m3 = m[((12 + j) * FILTERS + k) * tiles + p];
                    t[j] = m0 + m1 + m2;
                    t[4 + j] = m1 - m2 - m3;
                }
                for (int i = 0; i < 2; i++) {
                    o[i * side] = fmaxf(0, t[4 * i] + t[4 * i + 1] + t[4 * i + 2] + bias[k]);
                    o[i * side + 1] = fmaxf(0, t[4 * i + 1] - t[4 * i + 2] - t[4 * i + 3] + bias[k]);
                }
            }
    }
}
#else
typedef struct { float at[3][3]; } kernel;
typedef struct { float at[4][4]; } tile;

#define FOUR(name) for (size_t name = 0; name < 4; ++name)

#pragma acc routine seq
static tile of_weights(const kernel *g)
{
    tile t, r;
    for (size_t j = 0; j < 3; ++j) {
        const float a = g->at[0][j], b = g->at[1][j], c = g->at[2][j];
        t.at[0][j] = a;
        t.at[1][j] = (a + b + c) * 0.5f;
        t.at[2][j] = (a - b + c) * 0.5f;
        t.at[3][j] = c;
    }
    FOUR(i)
    {
        const float a = t.at[i][0], b = t.at[i][1], c = t.at[i][2];
        r.at[i][0] = a;
        r.at[i][1] = (a + b + c) * 0.5f;
        r.at[i][2] = (a - b + c) * 0.5f;
        r.at[i][3] = c;
    }
    return r;
}

#pragma acc routine seq
static void of_points(tile *d)
{
    FOUR(j)
    {
        const float a = d->at[0][j], b = d->at[1][j], c = d->at[2][j], e = d->at[3][j];
        d->at[0][j] = a - c;
        d->at[1][j] = b + c;
        d->at[2][j] = c - b;
        d->at[3][j] = b - e;
    }
    FOUR(i)
    {
        const float a = d->at[i][0], b = d->at[i][1], c = d->at[i][2], e = d->at[i][3];
        d->at[i][0] = a - c;
        d->at[i][1] = b + c;
        d->at[i][2] = c - b;
        d->at[i][3] = b - e;
    }
}

static void convolve(size_t images, size_t side, const float *in_, const kernel *g_, const float *bias, float *u_, float *v_, float *m_, float *out_)
{
    const size_t w = side + 2, half = side / 2, tiles = images * half * half;
    const float(*in)[CHANNELS][w][w] = (const float(*)[CHANNELS][w][w])in_;
    const kernel(*g)[CHANNELS] = (const kernel(*)[CHANNELS])g_;
    float(*u)[FILTERS][CHANNELS] = (float(*)[FILTERS][CHANNELS])u_, (*v)[CHANNELS][tiles] = (float(*)[CHANNELS][tiles])v_;
    float(*m)[FILTERS][tiles] = (float(*)[FILTERS][tiles])m_, (*out)[FILTERS][side][side] = (float(*)[FILTERS][side][side])out_;
#pragma acc parallel loop gang vector collapse(2) present(g[0:FILTERS], u[0:16])
#pragma omp parallel for
    for (size_t k = 0; k < FILTERS; ++k)
        for (size_t c = 0; c < CHANNELS; ++c) {
            const tile t = of_weights(&g[k][c]);
            FOUR(i)
            FOUR(j)
            u[4 * i + j][k][c] = t.at[i][j];
        }
#pragma acc parallel loop gang collapse(3) present(in[0:images], v[0:16])
#pragma omp parallel for collapse(2)
    for (size_t image = 0; image < images; ++image)
        for (size_t c = 0; c < CHANNELS; ++c)
            for (size_t ty = 0; ty < half; ++ty) {
#pragma acc loop vector
                for (size_t tx = 0; tx < half; ++tx) {
                    tile d;
                    FOUR(i)
                    FOUR(j)
                    d.at[i][j] = in[image][c][2 * ty + i][2 * tx + j];
                    of_points(&d);
                    FOUR(i)
                    FOUR(j)
                    v[4 * i + j][c][(image * half + ty) * half + tx] = d.at[i][j];
                }
            }
#pragma acc parallel present(u[0:16], v[0:16], m[0:16])
#pragma acc loop gang collapse(2)
#pragma omp parallel for collapse(2)
    for (size_t e = 0; e < 16; ++e)
        for (size_t k = 0; k < FILTERS; ++k)
#pragma acc loop vector
            for (size_t p = 0; p < tiles; ++p) {
                float sum = 0.0f;
#pragma acc loop seq
                for (size_t c = 0; c < CHANNELS; ++c)
                    sum += u[e][k][c] * v[e][c][p];
                m[e][k][p] = sum;
            }
#pragma acc parallel loop gang collapse(3) present(m[0:16], bias[0:FILTERS], out[0:images])
#pragma omp parallel for collapse(2)
    for (size_t image = 0; image < images; ++image)
        for (size_t k = 0; k < FILTERS; ++k)
            for (size_t ty = 0; ty < half; ++ty) {
#pragma acc loop vector
                for (size_t tx = 0; tx < half; ++tx) {
                    const size_t p = (image * half + ty) * half + tx;
                    float t[2][4];
                    FOUR(j)
                    {
                        t[0][j] = m[j][k][p] + m[4 + j][k][p] + m[8 + j][k][p];
                        t[1][j] = m[4 + j][k][p] - m[8 + j][k][p] - m[12 + j][k][p];
                    }
                    for (size_t i = 0; i < 2; ++i) {
                        const float left = t[i][0] + t[i][1] + t[i][2] + bias[k], right = t[i][1] - t[i][2] - t[i][3] + bias[k];
                        out[image][k][2 * ty + i][2 * tx] = left > 0.0f ? left : 0.0f;
                        out[image][k][2 * ty + i][2 * tx + 1] = right > 0.0f ? right : 0.0f;
                    }
                }
            }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift > 0 ? IMAGES >> args.shift : 1, side = (SIDE >> (args.shift > 3 ? args.shift - 3 : 0)) & ~1;
    int w = side + 2, tiles = images * (side / 2) * (side / 2), points = images * CHANNELS * w * w, results = images * FILTERS * side * side;
    float *in = NEW(float, points), *g = NEW(float, FILTERS *CHANNELS * 9), *bias = NEW(float, FILTERS), *out = NEW(float, results);
    float *u = NEW(float, 16 * FILTERS * CHANNELS), *v = NEW(float, 16L * CHANNELS * tiles), *m = NEW(float, 16L * FILTERS * tiles);
    double sum = 0;
    for (int i = 0; i < points; i++) {
        int y = i / w % w, x = i % w;
        in[i] = y == 0 || y == w - 1 || x == 0 || x == w - 1 ? 0 : number(i);
    }
    for (int i = 0; i < FILTERS * CHANNELS * 9; i++)
        g[i] = 0.1 * (number(i + 999) - 0.5);
    FILL(bias, FILTERS, 0.25);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(in[0:points], g[0:FILTERS * CHANNELS * 9], bias[0:FILTERS])                                                         \
    create(u[0:16 * FILTERS * CHANNELS], v[0:16 * CHANNELS * tiles], m[0:16 * FILTERS * tiles], out[0:results])
    while (lap(&t))
        convolve(images, side, in, g, bias, u, v, m, out);
#else
    const kernel *kernels = (const kernel *)g;
#pragma acc enter data copyin(in[0:points], kernels[0:FILTERS * CHANNELS], bias[0:FILTERS])                                                       \
    create(u[0:16 * FILTERS * CHANNELS], v[0:16 * CHANNELS * tiles], m[0:16 * FILTERS * tiles], out[0:results])
    while (lap(&t))
        convolve(images, side, in, kernels, bias, u, v, m, out);
#endif
#pragma acc update self(out[0:results])
    SUM(sum, out, results);
    report("winograd", t.best, sum);
    return 0;
}
