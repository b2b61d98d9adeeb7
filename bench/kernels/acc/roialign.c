// Features of 1000 regions of an image from 256 channels of 100 x 152 floats: 7 x 7 bins each, the mean of four points between pixels in a bin.
#include "../kernels.h"

enum { REGIONS = 1000, CHANNELS = 256, HEIGHT = 100, WIDTH = 152, BINS = 7, SAMPLES = 2 };

#if SPELLING == 1
static inline float between(const float *restrict plane, float y, float x)
{
    if (y < -1.0f || y > HEIGHT || x < -1.0f || x > WIDTH)
        return 0;
    y = fmaxf(y, 0);
    x = fmaxf(x, 0);
    int y0 = (int)y, x0 = (int)x, y1 = y0 + 1, x1 = x0 + 1;
    if (y0 >= HEIGHT - 1) {
        y0 = y1 = HEIGHT - 1;
        y = y0;
    }
    if (x0 >= WIDTH - 1) {
        x0 = x1 = WIDTH - 1;
        x = x0;
    }
    float dy = y - y0, dx = x - x0;
    return (1 - dy) * ((1 - dx) * plane[y0 * WIDTH + x0] + dx * plane[y0 * WIDTH + x1]) +
           dy * ((1 - dx) * plane[y1 * WIDTH + x0] + dx * plane[y1 * WIDTH + x1]);
}

static void align(int n, const float *restrict features, const float *restrict regions, float *restrict out)
{
#pragma acc parallel loop collapse(4) present(features[0:CHANNELS * HEIGHT * WIDTH], regions[0:4 * n], out[0:n * CHANNELS * BINS * BINS])
#pragma omp parallel for collapse(2)
    for (int r = 0; r < n; r++)
        for (int c = 0; c < CHANNELS; c++)
            for (int by = 0; by < BINS; by++)
                for (int bx = 0; bx < BINS; bx++) {
                    float x0 = regions[4 * r], y0 = regions[4 * r + 1];
                    float w = (regions[4 * r + 2] - x0) / BINS, h = (regions[4 * r + 3] - y0) / BINS, sum = 0;
                    for (int iy = 0; iy < SAMPLES; iy++)
                        for (int ix = 0; ix < SAMPLES; ix++)
                            sum += between(features + c * HEIGHT * WIDTH, y0 + by * h + (iy + 0.5f) * h / SAMPLES, x0 + bx * w + (ix + 0.5f) * w / SAMPLES);
                    out[((r * CHANNELS + c) * BINS + by) * BINS + bx] = sum / (SAMPLES * SAMPLES);
                }
}
#else
typedef struct { float x0, y0, x1, y1; } region;
#define CLAMP(v, most) ((v) < 0 ? 0 : (v) > (most) ? (most) : (v))

static void mix_between(float (*plane)[WIDTH], float y, float x, float *sum)
{
    if (y < -1 || y > HEIGHT || x < -1 || x > WIDTH)
        return;
    y = CLAMP(y, HEIGHT - 1);
    x = CLAMP(x, WIDTH - 1);
    size_t top = y, left = x, bottom = top + 1 < HEIGHT ? top + 1 : top, right = left + 1 < WIDTH ? left + 1 : left;
    float dy = y - top, dx = x - left;
    *sum += (1 - dy) * (1 - dx) * plane[top][left] + (1 - dy) * dx * plane[top][right] + dy * (1 - dx) * plane[bottom][left] + dy * dx * plane[bottom][right];
}

static void align(size_t n, float (*features)[HEIGHT][WIDTH], region *regions, float (*out)[CHANNELS][BINS][BINS])
{
#pragma acc parallel loop gang present(features[0:CHANNELS], regions[0:n], out[0:n])
#pragma omp parallel for
    for (size_t r = 0; r < n; ++r) {
        region at = regions[r];
        float w = (at.x1 - at.x0) / BINS, h = (at.y1 - at.y0) / BINS;
#pragma acc loop worker
        for (size_t c = 0; c < CHANNELS; ++c)
#pragma acc loop vector collapse(2)
            for (size_t by = 0; by < BINS; ++by)
                for (size_t bx = 0; bx < BINS; ++bx) {
                    float sum = 0;
                    for (size_t i = 0; i < SAMPLES * SAMPLES; ++i)
                        mix_between(features[c], at.y0 + by * h + (i / SAMPLES + 0.5f) * h / SAMPLES, at.x0 + bx * w + (i % SAMPLES + 0.5f) * w / SAMPLES, &sum);
                    out[r][c][by][bx] = sum / (SAMPLES * SAMPLES);
                }
    }
}
#endif

static void place(int n, float *regions)
{
    for (int r = 0; r < n; r++) {
        regions[4 * r] = (float)(number(4 * r) * 0.8 * WIDTH - 2);
        regions[4 * r + 1] = (float)(number(4 * r + 1) * 0.8 * HEIGHT - 2);
        regions[4 * r + 2] = regions[4 * r] + (float)(2 + number(4 * r + 2) * 0.3 * WIDTH);
        regions[4 * r + 3] = regions[4 * r + 1] + (float)(2 + number(4 * r + 3) * 0.3 * HEIGHT);
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = REGIONS >> args.shift, all = CHANNELS * HEIGHT * WIDTH, results = n * CHANNELS * BINS * BINS;
    float *features = NEW(float, all), *regions = NEW(float, 4 * n), *out = NEW(float, results);
    double sum = 0;
    FILL(features, all, 1);
    place(n, regions);
#pragma acc enter data copyin(features[0:all], regions[0:4 * n]) create(out[0:results])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        align(n, features, regions, out);
#else
        align(n, (void *)features, (region *)regions, (void *)out);
#endif
    }
#pragma acc update self(out[0:results])
    SUM(sum, out, results);
    report("roialign", t.best, sum);
    return 0;
}
