// A picture of 1024 x 1024 bytes made 2.5 times as large by bicubic interpolation (Catmull-Rom), with clamped borders.
#include "../kernels.h"

enum { SIDE = 1024 };

#if SPELLING == 1
static inline float cubic(float a, float b, float c, float d, float t)
{
    return b + 0.5f * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

static void enlarge(int n, int m, const unsigned char *restrict in, unsigned char *restrict out)
{
    float scale = (float)n / m;
#pragma acc parallel loop collapse(2) present(in[0:n * n], out[0:m * m])
#pragma omp parallel for collapse(2)
    for (int y = 0; y < m; y++)
        for (int x = 0; x < m; x++) {
            float sy = (y + 0.5f) * scale - 0.5f, sx = (x + 0.5f) * scale - 0.5f;
            int iy = (int)floorf(sy), ix = (int)floorf(sx);
            float ty = sy - iy, tx = sx - ix, rows[4];
            for (int k = -1; k <= 2; k++) {
                int yy = iy + k < 0 ? 0 : iy + k > n - 1 ? n - 1 : iy + k;
                float at[4];
                for (int l = -1; l <= 2; l++) {
                    int xx = ix + l < 0 ? 0 : ix + l > n - 1 ? n - 1 : ix + l;
                    at[l + 1] = in[yy * n + xx];
                }
                rows[k + 1] = cubic(at[0], at[1], at[2], at[3], tx);
            }
            float v = cubic(rows[0], rows[1], rows[2], rows[3], ty) + 0.5f;
            out[y * m + x] = v < 0 ? 0 : v > 255 ? 255 : (unsigned char)v;
        }
}
#else
#define LIMIT(k, n) ((k) < 0 ? 0 : (k) >= (long)(n) ? (long)(n)-1 : (k))

static void weights(float t, float w[4])
{
    w[0] = t * (-0.5f + t * (1 - 0.5f * t));
    w[1] = 1 + t * t * (1.5f * t - 2.5f);
    w[2] = t * (0.5f + t * (2 - 1.5f * t));
    w[3] = t * t * (0.5f * t - 0.5f);
}

static void enlarge(size_t n, size_t m, unsigned char *in, unsigned char *out)
{
#pragma acc kernels present(in[0:n * n], out[0:m * m])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t y = 0; y < m; ++y) {
#pragma acc loop independent
        for (size_t x = 0; x < m; ++x) {
            float sy = (y + 0.5f) * ((float)n / m) - 0.5f, sx = (x + 0.5f) * ((float)n / m) - 0.5f, wy[4], wx[4], sum = 0.5f;
            long iy = lrintf(floorf(sy)), ix = lrintf(floorf(sx));
            weights(sy - iy, wy);
            weights(sx - ix, wx);
            for (int k = 0; k < 4; ++k)
                for (int l = 0; l < 4; ++l)
                    sum += wy[k] * wx[l] * in[LIMIT(iy + k - 1, n) * n + LIMIT(ix + l - 1, n)];
            out[y * m + x] = fminf(fmaxf(sum, 0), 255);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, m = n * 5 / 2;
    unsigned char *in = NEW(unsigned char, n *n), *out = NEW(unsigned char, m *m);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        in[k] = mix(k) % 256;
#pragma acc enter data copyin(in[0:n * n]) create(out[0:m * m])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        enlarge(n, m, in, out);
#pragma acc update self(out[0:m * m])
    SUM(sum, out, m *m);
    report("bicubic", t.best, sum);
    return 0;
}
