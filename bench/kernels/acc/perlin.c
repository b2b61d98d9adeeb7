// A picture of 2048 x 2048 floats: four octaves of noise from gradients that a table of permutations chooses.
#include "../kernels.h"

enum { SIDE = 2048, OCTAVES = 4 };

#if SPELLING == 1
static inline float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }
static inline float lerp(float t, float a, float b) { return a + t * (b - a); }
static inline float gradient(int hash, float x, float y)
{
    int h = hash & 7;
    float u = h < 4 ? x : y, v = h < 4 ? y : x;
    return ((h & 1) ? -u : u) + ((h & 2) ? -2.0f * v : 2.0f * v);
}

static inline float noise(const int *table, float x, float y)
{
    int ix = (int)floorf(x), iy = (int)floorf(y);
    float fx = x - ix, fy = y - iy, s = fade(fx), t = fade(fy);
    ix &= 255;
    iy &= 255;
    int a = table[ix] + iy, b = table[ix + 1] + iy;
    return lerp(t, lerp(s, gradient(table[a], fx, fy), gradient(table[b], fx - 1, fy)),
                lerp(s, gradient(table[a + 1], fx, fy - 1), gradient(table[b + 1], fx - 1, fy - 1)));
}

static void picture(int n, const int *restrict table, float *restrict out)
{
#pragma acc parallel loop collapse(2) present(table[0:768], out[0:n * n])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0, weight = 1, scale = 8.0f / n;
            for (int o = 0; o < OCTAVES; o++) {
                sum += weight * noise(table, j * scale, i * scale);
                weight *= 0.5f;
                scale *= 2;
            }
            out[i * n + j] = sum;
        }
}
#else
typedef struct { float x, y; } point;
#define MIX(a, b, t) ((1 - (t)) * (a) + (t) * (b))

static const signed char directions[8][2] = {{1, 2}, {-1, 2}, {1, -2}, {-1, -2}, {2, 1}, {2, -1}, {-2, 1}, {-2, -1}};
#pragma acc declare copyin(directions)

static float corner(const int *table, point p, long cx, long cy)
{
    int at = table[table[cx & 255] + (cy & 255)] & 7;
    return directions[at][0] * (p.x - cx) + directions[at][1] * (p.y - cy);
}

static float smooth(float t) { return powf(t, 3) * (10 - 15 * t + 6 * t * t); }

static void picture(size_t n, int *table, float *out)
{
#pragma acc parallel loop gang present(table[0:768], out[0:n * n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
#pragma acc loop vector
        for (size_t j = 0; j < n; ++j) {
            float sum = 0;
            for (int o = 0; o < OCTAVES; ++o) {
                float scale = (8 << o) / (float)n;
                point p = {j * scale, i * scale};
                long cx = (long)p.x, cy = (long)p.y;
                float s = smooth(p.x - cx), t = smooth(p.y - cy);
                float top = MIX(corner(table, p, cx, cy), corner(table, p, cx + 1, cy), s);
                float bottom = MIX(corner(table, p, cx, cy + 1), corner(table, p, cx + 1, cy + 1), s);
                sum += MIX(top, bottom, t) / (1 << o);
            }
            out[i * n + j] = sum;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, *table = NEW(int, 768);
    float *out = NEW(float, n *n);
    double sum = 0;
    for (int k = 0; k < 256; k++)
        table[k] = k;
    for (int k = 255; k > 0; k--) {
        int other = mix(k) % (k + 1), t = table[k];
        table[k] = table[other];
        table[other] = t;
    }
    for (int k = 256; k < 768; k++)
        table[k] = table[k & 255];
#pragma acc enter data copyin(table[0:768]) create(out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        picture(n, table, out);
#pragma acc update self(out[0:n * n])
    for (int k = 0; k < n * n; k++)
        sum += fabsf(out[k]);
    report("perlin", t.best, sum);
    return 0;
}
