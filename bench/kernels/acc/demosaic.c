// Colours of a camera's picture of 4096 x 4096 points of 16 bits, of which each has seen one of red, green and blue
// (Bayer), by the linear filters of Malvar, He and Cutler: 5 x 5 points around each, mirrored at the borders, and a
// gain for each colour.
#include "../kernels.h"

enum { SIDE = 4096, WHITE = 4095 };

typedef unsigned short sample;

#if SPELLING == 1
static inline int mirror(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; }

static inline sample cut(float x) { return x < 0 ? 0 : x > WHITE ? WHITE : (sample)(x + 0.5f); }

static void colours(int h, int w, const sample *restrict raw, sample *restrict red, sample *restrict green,
                    sample *restrict blue)
{
#pragma acc parallel loop collapse(2) present(raw[0:h * w], red[0:h * w], green[0:h * w], blue[0:h * w])
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float p[5][5];
            for (int j = 0; j < 5; j++)
                for (int i = 0; i < 5; i++)
                    p[j][i] = raw[mirror(y + j - 2, h) * w + mirror(x + i - 2, w)];
            float here = p[2][2];
            float cross = p[1][2] + p[3][2] + p[2][1] + p[2][3], corners = p[1][1] + p[1][3] + p[3][1] + p[3][3];
            float across = p[2][0] + p[2][4], down = p[0][2] + p[4][2];
            float g = (4 * here + 2 * cross - across - down) / 8;
            float beside = (5 * here + 4 * (p[2][1] + p[2][3]) - corners - across + 0.5f * down) / 8;
            float above = (5 * here + 4 * (p[1][2] + p[3][2]) - corners - down + 0.5f * across) / 8;
            float corner = (6 * here + 2 * corners - 1.5f * (across + down)) / 8;
            float r, b;
            if (y % 2 == 0 && x % 2 == 0) {
                r = here;
                b = corner;
            } else if (y % 2 == 1 && x % 2 == 1) {
                r = corner;
                b = here;
            } else {
                g = here;
                r = y % 2 == 0 ? beside : above;
                b = y % 2 == 0 ? above : beside;
            }
            red[y * w + x] = cut(r * 1.75f);
            green[y * w + x] = cut(g);
            blue[y * w + x] = cut(b * 1.5f);
        }
}
#else
struct gains { float red, green, blue; };

#define INSIDE(i, n) ((i) < 0 ? -(i) : (i) >= (n) ? 2 * (n) - 2 - (i) : (i))
#define RAW(j, i) raw[INSIDE(y + (j), h)][INSIDE(x + (i), w)]

static const float filters[4][5][5] = {
    {{0, 0, -1, 0, 0}, {0, 0, 2, 0, 0}, {-1, 2, 4, 2, -1}, {0, 0, 2, 0, 0}, {0, 0, -1, 0, 0}},
    {{0, 0, 0.5, 0, 0}, {0, -1, 0, -1, 0}, {-1, 4, 5, 4, -1}, {0, -1, 0, -1, 0}, {0, 0, 0.5, 0, 0}},
    {{0, 0, -1, 0, 0}, {0, -1, 4, -1, 0}, {0.5, 0, 5, 0, 0.5}, {0, -1, 4, -1, 0}, {0, 0, -1, 0, 0}},
    {{0, 0, -1.5, 0, 0}, {0, 2, 0, 2, 0}, {-1.5, 0, 6, 0, -1.5}, {0, 2, 0, 2, 0}, {0, 0, -1.5, 0, 0}}};
#pragma acc declare copyin(filters)

static void colours(long h, long w, sample raw[h][w], sample red[h][w], sample green[h][w], sample blue[h][w])
{
    const struct gains gain = {1.75f, 1, 1.5f};
    // which filter gives red, green and blue in the four places of a square; -1 is what the point has seen
    static const signed char which[2][2][3] = {{{-1, 0, 3}, {1, -1, 2}}, {{2, -1, 1}, {3, 0, -1}}};
#pragma acc parallel loop gang copyin(which) present(raw[0:h][0:w], red[0:h][0:w], green[0:h][0:w], blue[0:h][0:w])
#pragma omp parallel for
    for (long y = 0; y < h; ++y)
#pragma acc loop vector
        for (long x = 0; x < w; ++x) {
            float sums[3];
            for (int c = 0; c < 3; ++c) {
                int f = which[y & 1][x & 1][c];
                if (f < 0) {
                    sums[c] = raw[y][x];
                    continue;
                }
                float sum = 0;
                for (int j = 0; j < 5; ++j)
                    for (int i = 0; i < 5; ++i)
                        sum += filters[f][j][i] * RAW(j - 2, i - 2);
                sums[c] = sum / 8;
            }
            red[y][x] = (sample)(fminf(fmaxf(sums[0] * gain.red, 0), WHITE) + 0.5f);
            green[y][x] = (sample)(fminf(fmaxf(sums[1] * gain.green, 0), WHITE) + 0.5f);
            blue[y][x] = (sample)(fminf(fmaxf(sums[2] * gain.blue, 0), WHITE) + 0.5f);
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 1) / 2, all = side * side;
    sample *raw = NEW(sample, all), *red = NEW(sample, all), *green = NEW(sample, all), *blue = NEW(sample, all);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        int x = k % side, y = k / side;
        raw[k] = 1500 + 900 * ((x / 24 + y / 40) % 2) - 500 * ((x + y) % 2) + mix(k) % 300;
    }
#pragma acc enter data copyin(raw[0:all]) create(red[0:all], green[0:all], blue[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        colours(side, side, raw, red, green, blue);
#else
        colours(side, side, (sample(*)[side])raw, (sample(*)[side])red, (sample(*)[side])green, (sample(*)[side])blue);
#endif
    }
#pragma acc update self(red[0:all], green[0:all], blue[0:all])
    for (int k = 0; k < all; k++)
        sum += red[k] + 2 * green[k] + 3 * blue[k];
    report("demosaic", t.best, sum);
    return 0;
}
