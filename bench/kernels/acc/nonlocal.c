// Noise taken out of a picture of 512 x 512 floats by non-local means: each pixel becomes the mean of the 11 x 11 around it, weighted by how alike
// the 5 x 5 around both are.
#include "../kernels.h"

enum { SIDE = 512, SEARCH = 5, PATCH = 2, EDGE = SEARCH + PATCH };

#define NOISE 0.08f
#define FILTER 0.07f

#if SPELLING == 1
static void denoise(int h, int w, const float *restrict in, float *restrict out)
{
    const int pitch = w + 2 * EDGE;
    const float area = (2 * PATCH + 1) * (2 * PATCH + 1);
#pragma acc parallel loop collapse(2) present(in[0:(h + 2 * EDGE) * pitch], out[0:h * w])
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int here = (y + EDGE) * pitch + x + EDGE;
            float sum = 0, weights = 0;
            for (int dy = -SEARCH; dy <= SEARCH; dy++)
                for (int dx = -SEARCH; dx <= SEARCH; dx++) {
                    int there = here + dy * pitch + dx;
                    float distance = 0;
                    for (int py = -PATCH; py <= PATCH; py++)
                        for (int px = -PATCH; px <= PATCH; px++) {
                            float d = in[here + py * pitch + px] - in[there + py * pitch + px];
                            distance += d * d;
                        }
                    float weight = expf(-fmaxf(distance / area - 2 * NOISE * NOISE, 0) / (FILTER * FILTER));
                    sum += weight * in[there];
                    weights += weight;
                }
            out[y * w + x] = sum / weights;
        }
}
#else
#define SQUARE(x) ((x) * (x))
#define AROUND(v, radius) for (long v = -(radius); v <= (radius); ++v)

static void denoise(size_t h, size_t w, const float *in_, float *out_)
{
    const size_t pitch = w + 2 * EDGE;
    const float(*in)[pitch] = (const float(*)[pitch])in_;
    float(*out)[w] = (float(*)[w])out_;
#pragma acc parallel present(in[0:h + 2 * EDGE], out[0:h])
#pragma acc loop gang
#pragma omp parallel for
    for (size_t y = EDGE; y < h + EDGE; ++y)
#pragma acc loop vector
        for (size_t x = EDGE; x < w + EDGE; ++x) {
            struct { float value, weight; } total = {0.0f, 0.0f};
            AROUND(dy, SEARCH)
            AROUND(dx, SEARCH)
            {
                float distance = 0.0f;
                AROUND(py, PATCH)
                AROUND(px, PATCH)
                distance += SQUARE(in[y + py][x + px] - in[y + dy + py][x + dx + px]);
                distance = distance / SQUARE(2 * PATCH + 1) - 2.0f * SQUARE(NOISE);
                const float weight = distance > 0.0f ? expf(-distance / SQUARE(FILTER)) : 1.0f;
                total.value += weight * in[y + dy][x + dx];
                total.weight += weight;
            }
            out[y - EDGE][x - EDGE] = total.value / total.weight;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int w = SIDE >> (args.shift + 1) / 2, h = w, pitch = w + 2 * EDGE, n = (h + 2 * EDGE) * pitch;
    float *in = NEW(float, n), *out = NEW(float, h *w);
    double sum = 0;
    // Squares of several greys under noise.
    for (int i = 0; i < n; i++)
        in[i] = 0.5f * (float)number((i / pitch / 24) * 97 + i % pitch / 24) + NOISE * 3.4f * (float)(number(i + 4242) - 0.5);
    struct watch t = watch(args.repeats);
#pragma acc enter data copyin(in[0:n]) create(out[0:h * w])
    while (lap(&t))
        denoise(h, w, in, out);
#pragma acc update self(out[0:h * w])
    for (int i = 0; i < h * w; i++)
        sum += fabs(out[i]) * (i % 5 + 1);
    report("nonlocal", t.best, sum);
    return 0;
}
