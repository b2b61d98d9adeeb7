// A Gaussian of any width by Deriche's recursive filter on 1024 x 1024 pixels of four bytes: a thread a column with all its colours, transposed
// through tiles in shared memory, and once more.
#include "kernels.cuh"

constexpr int TILE = 32, ROWS = 8;

struct coefficients { float a0, a1, a2, a3, b1, b2, coefp, coefn; };

__device__ float4 operator*(float f, float4 c) { return make_float4(f * c.x, f * c.y, f * c.z, f * c.w); }

__device__ float4 operator+(float4 p, float4 q) { return make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w); }

__device__ float4 of(uchar4 p) { return (1 / 255.0f) * make_float4(p.x, p.y, p.z, p.w); }

__device__ unsigned char byte(float v) { return __saturatef(v) * 255.0f; }

__device__ uchar4 to(float4 c) { return make_uchar4(byte(c.x), byte(c.y), byte(c.z), byte(c.w)); }

__global__ void columns(int w, int h, coefficients c, const uchar4 *__restrict__ in, uchar4 *__restrict__ out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w)
        return;
    float4 xp = of(in[x]), yb = c.coefp * xp, yp = yb;
    for (int y = 0; y < h; y++) {
        float4 xc = of(in[y * w + x]), yc = c.a0 * xc + c.a1 * xp + -c.b1 * yp + -c.b2 * yb;
        out[y * w + x] = to(yc);
        xp = xc;
        yb = yp;
        yp = yc;
    }
    float4 xn = of(in[(h - 1) * w + x]), xa = xn, yn = c.coefn * xn, ya = yn;
    for (int y = h - 1; y >= 0; y--) {
        float4 yc = c.a2 * xn + c.a3 * xa + -c.b1 * yn + -c.b2 * ya;
        xa = xn;
        xn = of(in[y * w + x]);
        ya = yn;
        yn = yc;
        out[y * w + x] = to(of(out[y * w + x]) + yc);
    }
}

__global__ void turn(int w, int h, const uchar4 *__restrict__ in, uchar4 *__restrict__ out)
{
    __shared__ uchar4 tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < w && y + r < h)
            tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * w + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < h && y + r < w)
            out[(y + r) * h + x] = tile[threadIdx.x][threadIdx.y + r];
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = 1024 >> args.shift / 3, all = n * n;
    unsigned *picture = NEW(unsigned, all), *result = NEW(unsigned, all);
    double sigma = 10, alpha = 1.695 / sigma, ema = exp(-alpha), ema2 = exp(-2 * alpha), sum = 0;
    double k = (1 - ema) * (1 - ema) / (1 + 2 * alpha * ema - ema2), b1 = -2 * ema, b2 = ema2;
    coefficients c = {(float)k, (float)(k * (alpha - 1) * ema), (float)(k * (alpha + 1) * ema), (float)(-k * ema2), (float)b1, (float)b2, 0, 0};
    c.coefp = (c.a0 + c.a1) / (1 + b1 + b2);
    c.coefn = (c.a2 + c.a3) / (1 + b1 + b2);
    for (int i = 0; i < all; i++)
        picture[i] = mix(i);
    uchar4 *in = reinterpret_cast<uchar4 *>(on_device(picture, all)), *one = device<uchar4>(all), *two = device<uchar4>(all);
    dim3 tile(TILE, ROWS), tiles(ceiling(n, TILE), ceiling(n, TILE));
    double best = fastest(args.repeats, [&] {
        columns<<<ceiling(n, 64), 64>>>(n, n, c, in, one);
        turn<<<tiles, tile>>>(n, n, one, two);
        columns<<<ceiling(n, 64), 64>>>(n, n, c, two, one);
        turn<<<tiles, tile>>>(n, n, one, two);
    });
    to_host(result, reinterpret_cast<unsigned *>(two), all);
    for (int i = 0; i < all; i++)
        for (int s = 0; s < 32; s += 8)
            sum += result[i] >> s & 255;
    report("recursive", best, sum);
    return 0;
}
