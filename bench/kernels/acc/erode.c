// Erosion of a picture of 2048 x 2048 bytes by a square of 9 x 9 with cut borders, and the difference to the picture.
#include "../kernels.h"

enum { SIDE = 2048, RADIUS = 4 };

#if SPELLING == 1
static void erode(int h, int w, const unsigned char *restrict in, unsigned char *restrict out)
{
#pragma acc parallel loop collapse(2) present(in[0:h * w], out[0:h * w])
#pragma omp parallel for collapse(2)
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            unsigned char least = 255;
            for (int dy = -RADIUS; dy <= RADIUS; dy++)
                for (int dx = -RADIUS; dx <= RADIUS; dx++)
                    if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
                        least = in[(y + dy) * w + x + dx] < least ? in[(y + dy) * w + x + dx] : least;
            out[y * w + x] = in[y * w + x] - least;
        }
}
#else
typedef struct { long height, width; unsigned char *at; } picture;
#define CLAMP(k, n) ((k) < 0 ? 0 : (k) >= (n) ? (n)-1 : (k))

static unsigned char least_around(picture p, long y, long x)
{
    unsigned char least = 255;
    for (long yy = CLAMP(y - RADIUS, p.height); yy <= CLAMP(y + RADIUS, p.height); ++yy)
        for (long xx = CLAMP(x - RADIUS, p.width); xx <= CLAMP(x + RADIUS, p.width); ++xx)
            if (p.at[yy * p.width + xx] < least)
                least = p.at[yy * p.width + xx];
    return least;
}

static void erode(long h, long w, unsigned char *from, unsigned char *to)
{
    picture in = {h, w, from}, out = {h, w, to};
#pragma acc parallel loop gang present(from[0:h * w], to[0:h * w])
#pragma omp parallel for
    for (long y = 0; y < h; ++y)
#pragma acc loop vector
        for (long x = 0; x < w; ++x) {
            picture here = in;
            here.at = from;
            to[y * out.width + x] = from[y * w + x] - least_around(here, y, x);
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    unsigned char *in = NEW(unsigned char, n *n), *out = NEW(unsigned char, n *n);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        in[k] = mix(k) % 256;
#pragma acc enter data copyin(in[0:n * n]) create(out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        erode(n, n, in, out);
#pragma acc update self(out[0:n * n])
    for (int k = 0; k < n * n; k++)
        sum += out[k] * (1 + k % 5);
    report("erode", t.best, sum);
    return 0;
}
