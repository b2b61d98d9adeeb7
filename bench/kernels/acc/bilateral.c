// Bilateral filter, float, 2048 × 2048, radius 3: weights by distance from a table, by difference of brightness from expf.
#include "../kernels.h"

enum { N = 2048, RADIUS = 3, WIDE = 2 * RADIUS + 1 };

#if SPELLING == 1
static void prepare(const float *near)
{
#pragma acc enter data copyin(near[0:WIDE * WIDE])
}

static void filter(int rows, int columns, float steep, const float *restrict near, const float *restrict in,
                   float *restrict out)
{
#pragma acc parallel loop collapse(2) present(near[0:WIDE * WIDE], in[0:rows * columns], out[0:rows * columns])
#pragma omp parallel for
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            float here = in[i * columns + j], sum = 0, weights = 0;
            for (int di = -RADIUS; di <= RADIUS; di++)
                for (int dj = -RADIUS; dj <= RADIUS; dj++) {
                    int y = i + di < 0 ? 0 : i + di > rows - 1 ? rows - 1 : i + di;
                    int x = j + dj < 0 ? 0 : j + dj > columns - 1 ? columns - 1 : j + dj;
                    float v = in[y * columns + x];
                    float w = near[(di + RADIUS) * WIDE + dj + RADIUS] * expf(-steep * (v - here) * (v - here));
                    sum += w * v;
                    weights += w;
                }
            out[i * columns + j] = sum / weights;
        }
}
#elif SPELLING == 3
static void prepare(float *near) { (void)near; }
static inline int imin(int a, int b) { return a < b ? a : b; }
static inline int imax(int a, int b) { return a > b ? a : b; }
static void filter(int h, int w, float steep, float *space_weight, float *psrc, float *pdst)
{
    float(*src)[w] = (float(*)[w])psrc, (*dst)[w] = (float(*)[w])pdst;
#pragma acc parallel loop tile(16, 16) present(src[0:h], dst[0:h]) copyin(space_weight[0:WIDE * WIDE])
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            float wsum = 0, sum = 0;
            const float val0 = src[i][j];
            for (int k = 0; k < WIDE * WIDE; k++) {
                const int y = imin(imax(i + k / WIDE - RADIUS, 0), h - 1), x = imin(imax(j + k % WIDE - RADIUS, 0), w - 1);
                const float val = src[y][x], diff = val - val0;
                const float weight = space_weight[k] * expf(-(diff * diff * steep));
                sum += val * weight;
                wsum += weight;
            }
            dst[i][j] = sum / wsum;
        }
}
#elif SPELLING == 4
static float spatial[WIDE][WIDE];
#pragma acc declare create(spatial)
static void prepare(float *near)
{
    for (int k = 0; k < WIDE * WIDE; k++)
        spatial[k / WIDE][k % WIDE] = near[k];
#pragma acc update device(spatial)
}
static void filter(int h, int w, float steep, const float *near, const float *restrict in, float *restrict out)
{
#pragma acc parallel loop gang present(in[0:h * w], out[0:h * w])
    for (int y = 0; y < h; y++) {
#pragma acc loop vector
        for (int x = 0; x < w; x++) {
            const float centre = in[y * w + x];
            float top = 0, bottom = 0;
            for (int dy = 0; dy < WIDE; dy++) {
                int yy = y + dy - RADIUS;
                if (yy < 0)
                    yy = 0;
                if (yy >= h)
                    yy = h - 1;
                const float *row = in + yy * w;
                for (int dx = 0; dx < WIDE; dx++) {
                    int xx = x + dx - RADIUS;
                    if (xx < 0)
                        xx = 0;
                    if (xx >= w)
                        xx = w - 1;
                    const float d = row[xx] - centre, weight = spatial[dy][dx] * expf(-steep * d * d);
                    top += weight * row[xx];
                    bottom += weight;
                }
            }
            out[y * w + x] = top / bottom;
        }
    }
}
#else
#define CLAMP(a, low, high) ((a) < (low) ? (low) : (a) > (high) ? (high) : (a))

static float table[WIDE][WIDE];
#pragma acc declare create(table)

static void prepare(float *near)
{
    for (int k = 0; k < WIDE * WIDE; k++)
        table[k / WIDE][k % WIDE] = near[k];
#pragma acc update device(table)
}

#pragma acc routine seq
static float alike(float a, float b, float steep)
{
    float difference = a - b;
    return expf(-(difference * difference) * steep);
}

static void filter(size_t rows, size_t columns, float steep, float *near, float *fin, float *fout)
{
    float(*in)[columns] = (float(*)[columns])fin, (*out)[columns] = (float(*)[columns])fout;
    (void)near;
#pragma acc kernels present(in[0:rows][0:columns], out[0:rows][0:columns])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t i = 0; i < rows; i++)
#pragma acc loop independent
            for (size_t j = 0; j < columns; j++) {
                float sum = 0.0f, weights = 0.0f;
#pragma acc loop seq
                for (int a = 0; a < WIDE; a++) {
#pragma acc loop seq
                    for (int b = 0; b < WIDE; b++) {
                        long y = CLAMP((long)i + a - RADIUS, 0, (long)rows - 1);
                        long x = CLAMP((long)j + b - RADIUS, 0, (long)columns - 1);
                        float w = table[a][b] * alike(in[y][x], in[i][j], steep);
                        sum += in[y][x] * w;
                        weights += w;
                    }
                }
                out[i][j] = sum / weights;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    float *in = NEW(float, all), *out = NEW(float, all), *near = NEW(float, WIDE *WIDE);
    double sum = 0;
    FILL(in, all, 1);
    for (int k = 0; k < WIDE * WIDE; k++) {
        int y = k / WIDE - RADIUS, x = k % WIDE - RADIUS;
        near[k] = (float)exp(-(x * x + y * y) / 8.0);
    }
    prepare(near);
#pragma acc enter data copyin(in[0:all]) create(out[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        filter(n, n, 12.5f, near, in, out);
#pragma acc update self(out[0:all])
    for (int k = 0; k < all; k++)
        sum += out[k] * (1 + k % 7);
    report("bilateral", t.best, sum);
    return 0;
}
