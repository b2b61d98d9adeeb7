// Sobel's edge filter on a grey image of bytes, 4096 × 4096.
#include "../kernels.h"

enum { N = 4096 };

#if SPELLING == 1
static void filter(int h, int w, const unsigned char *restrict in, unsigned char *restrict out)
{
#pragma acc parallel loop collapse(2) present(in[0:h * w], out[0:h * w])
#pragma omp parallel for
    for (int y = 1; y < h - 1; y++)
#pragma omp simd
        for (int x = 1; x < w - 1; x++) {
            int gx = in[(y - 1) * w + x + 1] + 2 * in[y * w + x + 1] + in[(y + 1) * w + x + 1] -
                     in[(y - 1) * w + x - 1] - 2 * in[y * w + x - 1] - in[(y + 1) * w + x - 1];
            int gy = in[(y + 1) * w + x - 1] + 2 * in[(y + 1) * w + x] + in[(y + 1) * w + x + 1] -
                     in[(y - 1) * w + x - 1] - 2 * in[(y - 1) * w + x] - in[(y - 1) * w + x + 1];
            int size = abs(gx) + abs(gy);
            out[y * w + x] = size > 255 ? 255 : size;
        }
}
#elif SPELLING == 3
#define PIXEL(y, x) ((int)in[(y) * w + (x)])
static void filter(int h, int w, const unsigned char *in, unsigned char *out)
{
    static const int Gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}, Gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
#pragma acc parallel loop tile(32, 8) present(in[0:h * w], out[0:h * w]) copyin(Gx, Gy)
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int sx = 0, sy = 0;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++) {
                    sx += Gx[j][i] * PIXEL(y + j - 1, x + i - 1);
                    sy += Gy[j][i] * PIXEL(y + j - 1, x + i - 1);
                }
            int mag = (sx < 0 ? -sx : sx) + (sy < 0 ? -sy : sy);
            out[y * w + x] = (unsigned char)(mag < 255 ? mag : 255);
        }
}
#elif SPELLING == 4
static void filter(size_t h, size_t w, unsigned char *src, unsigned char *dst)
{
#pragma acc kernels present(src[0:h * w], dst[0:h * w])
    {
#pragma acc loop gang independent
        for (size_t row = 1; row + 1 < h; row++) {
            const unsigned char *r0 = src + (row - 1) * w, *r1 = r0 + w, *r2 = r1 + w;
            unsigned char *o = dst + row * w;
#pragma acc loop vector independent
            for (size_t col = 1; col + 1 < w; col++) {
                short a = r0[col - 1], b = r0[col], c = r0[col + 1], d = r1[col - 1], f = r1[col + 1], g = r2[col - 1], hh = r2[col], i = r2[col + 1];
                int gx = (c + 2 * f + i) - (a + 2 * d + g), gy = (g + 2 * hh + i) - (a + 2 * b + c);
                int v = abs(gx) + abs(gy);
                if (v > 255)
                    v = 255;
                o[col] = v;
            }
        }
    }
}
#else
typedef unsigned char byte;

static void filter(size_t h, size_t w, byte *from, byte *to)
{
    byte(*in)[w] = (byte(*)[w])from, (*out)[w] = (byte(*)[w])to;
    const int kernel[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
#pragma acc parallel loop gang present(in[0:h][0:w], out[0:h][0:w]) copyin(kernel)
#pragma omp parallel for
    for (size_t y = 1; y < h - 1; y++)
#pragma acc loop vector
#pragma omp simd
        for (size_t x = 1; x < w - 1; x++) {
            int gx = 0, gy = 0;
            for (int i = -1; i <= 1; i++)
                for (int j = -1; j <= 1; j++) {
                    gx += kernel[i + 1][j + 1] * in[y + i][x + j];
                    gy += kernel[j + 1][i + 1] * in[y + i][x + j];
                }
            gx = gx < 0 ? -gx : gx;
            gy = gy < 0 ? -gy : gy;
            out[y][x] = (byte)(gx + gy < 255 ? gx + gy : 255);
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    unsigned char *in = NEW(unsigned char, all), *out = NEW(unsigned char, all);
    double sum = 0;
    FILL(in, all, 100);
    FILL(out, all, 0);
#pragma acc enter data copyin(in[0:all], out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        filter(n, n, in, out);
#pragma acc update self(out[0:all])
    for (int k = 0; k < all; k++)
        sum += out[k] * (k % 7);
    report("sobel", t.best, sum);
    return 0;
}
