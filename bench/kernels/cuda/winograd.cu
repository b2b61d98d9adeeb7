// A layer of 3 x 3 convolutions by Winograd's method, float: 8 images of 64 channels of 56 x 56 give 64 channels. A thread a transform; products in
// tiles of 64 x 64 with 16 results a thread and both factors in shared memory.
#include "kernels.cuh"

constexpr int IMAGES = 8, CHANNELS = 64, FILTERS = 64, SIDE = 56, THREADS = 256, TILE = 64, DEEP = 16;

__global__ void __launch_bounds__(THREADS) weights(const float *__restrict__ g, float *__restrict__ u)
{
    int at = blockIdx.x * THREADS + threadIdx.x;
    const float *w = g + at * 9;
    float t[4][3];
#pragma unroll
    for (int j = 0; j < 3; j++) {
        float a = w[j], b = w[3 + j], c = w[6 + j];
        t[0][j] = a;
        t[1][j] = 0.5f * (a + b + c);
        t[2][j] = 0.5f * (a - b + c);
        t[3][j] = c;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float a = t[i][0], b = t[i][1], c = t[i][2];
        u[(4 * i + 0) * FILTERS * CHANNELS + at] = a;
        u[(4 * i + 1) * FILTERS * CHANNELS + at] = 0.5f * (a + b + c);
        u[(4 * i + 2) * FILTERS * CHANNELS + at] = 0.5f * (a - b + c);
        u[(4 * i + 3) * FILTERS * CHANNELS + at] = c;
    }
}

__global__ void __launch_bounds__(THREADS) points(int side, int tiles, const float *__restrict__ in, float *__restrict__ v)
{
    int p = blockIdx.x * THREADS + threadIdx.x, c = blockIdx.y, w = side + 2, half = side / 2;
    if (p >= tiles)
        return;
    int image = p / (half * half), y = p / half % half * 2, x = p % half * 2;
    // A pair of points at an even place of a row of even length.
    const float2 *d = (const float2 *)(in + ((image * CHANNELS + c) * w + y) * w + x);
    float a[4][4], t[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        float2 left = d[i * w / 2], right = d[i * w / 2 + 1];
        a[i][0] = left.x;
        a[i][1] = left.y;
        a[i][2] = right.x;
        a[i][3] = right.y;
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        t[0][j] = a[0][j] - a[2][j];
        t[1][j] = a[1][j] + a[2][j];
        t[2][j] = a[2][j] - a[1][j];
        t[3][j] = a[1][j] - a[3][j];
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[((4 * i + 0) * CHANNELS + c) * tiles + p] = t[i][0] - t[i][2];
        v[((4 * i + 1) * CHANNELS + c) * tiles + p] = t[i][1] + t[i][2];
        v[((4 * i + 2) * CHANNELS + c) * tiles + p] = t[i][2] - t[i][1];
        v[((4 * i + 3) * CHANNELS + c) * tiles + p] = t[i][1] - t[i][3];
    }
}

// All filters, 64 tiles.
__global__ void __launch_bounds__(THREADS) products(int tiles, const float *__restrict__ u, const float *__restrict__ v, float *__restrict__ m)
{
    __shared__ float us[DEEP][TILE + 4], vs[DEEP][TILE];
    int e = blockIdx.y, first = blockIdx.x * TILE, tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum[4][4] = {};
    u += e * FILTERS * CHANNELS;
    v += e * CHANNELS * tiles;
    m += e * FILTERS * tiles;
    for (int c0 = 0; c0 < CHANNELS; c0 += DEEP) {
        for (int i = threadIdx.x; i < DEEP * TILE; i += THREADS) {
            us[i % DEEP][i / DEEP] = u[i / DEEP * CHANNELS + c0 + i % DEEP];
            vs[i / TILE][i % TILE] = first + i % TILE < tiles ? v[(c0 + i / TILE) * tiles + first + i % TILE] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int c = 0; c < DEEP; c++) {
            float a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                a[i] = us[c][4 * ty + i];
                b[i] = vs[c][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (first + tx + 16 * j < tiles)
                m[(4 * ty + i) * tiles + first + tx + 16 * j] = sum[i][j];
}

__global__ void __launch_bounds__(THREADS) results(int side, int tiles, const float *__restrict__ m, const float *__restrict__ bias,
                                                   float *__restrict__ out)
{
    int p = blockIdx.x * THREADS + threadIdx.x, k = blockIdx.y, half = side / 2;
    if (p >= tiles)
        return;
    int image = p / (half * half), y = p / half % half * 2, x = p % half * 2;
    float t[2][4], b = bias[k];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        float m0 = m[(j * FILTERS + k) * tiles + p], m1 = m[((4 + j) * FILTERS + k) * tiles + p];
        float m2 = m[((8 + j) * FILTERS + k) * tiles + p], m3 = m[((12 + j) * FILTERS + k) * tiles + p];
        t[0][j] = m0 + m1 + m2;
        t[1][j] = m1 - m2 - m3;
    }
    float2 *o = (float2 *)(out + ((image * FILTERS + k) * side + y) * side + x);
#pragma unroll
    for (int i = 0; i < 2; i++)
        o[i * side / 2] = make_float2(fmaxf(0, t[i][0] + t[i][1] + t[i][2] + b), fmaxf(0, t[i][1] - t[i][2] - t[i][3] + b));
}

int main(int argc, char **argv)
{
    static_assert(FILTERS == TILE && FILTERS * CHANNELS % THREADS == 0, "");
    struct arguments args = arguments(argc, argv);
    int images = IMAGES >> args.shift > 0 ? IMAGES >> args.shift : 1, side = (SIDE >> (args.shift > 3 ? args.shift - 3 : 0)) & ~1;
    int w = side + 2, tiles = images * (side / 2) * (side / 2), count = images * CHANNELS * w * w, total = images * FILTERS * side * side;
    float *in = NEW(float, count), *g = NEW(float, FILTERS * CHANNELS * 9), *bias = NEW(float, FILTERS), *out = NEW(float, total);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        int y = i / w % w, x = i % w;
        in[i] = y == 0 || y == w - 1 || x == 0 || x == w - 1 ? 0 : number(i);
    }
    for (int i = 0; i < FILTERS * CHANNELS * 9; i++)
        g[i] = 0.1 * (number(i + 999) - 0.5);
    FILL(bias, FILTERS, 0.25);
    float *din = on_device(in, count), *dg = on_device(g, FILTERS * CHANNELS * 9), *dbias = on_device(bias, FILTERS), *dout = device<float>(total);
    float *du = device<float>(16 * FILTERS * CHANNELS), *dv = device<float>(16 * CHANNELS * tiles), *dm = device<float>(16 * FILTERS * tiles);
    double best = fastest(args.repeats, [&] {
        weights<<<FILTERS * CHANNELS / THREADS, THREADS>>>(dg, du);
        points<<<dim3(ceiling(tiles, THREADS), CHANNELS), THREADS>>>(side, tiles, din, dv);
        products<<<dim3(ceiling(tiles, TILE), 16), THREADS>>>(tiles, du, dv, dm);
        results<<<dim3(ceiling(tiles, THREADS), FILTERS), THREADS>>>(side, tiles, dm, dbias, dout);
    });
    to_host(out, dout, total);
    SUM(sum, out, total);
    report("winograd", best, sum);
    return 0;
}
