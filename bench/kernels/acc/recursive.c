// A Gaussian of any width by Deriche's recursive filter on 1024 x 1024 pixels of four bytes: down and up each column, transposed, and once more.
#include "../kernels.h"

enum { SIDE = 1024, CHANNELS = 4 };

struct coefficients { float a0, a1, a2, a3, b1, b2, coefp, coefn; };

#if SPELLING == 1
#pragma acc routine seq
static void unpack(float *f, unsigned c)
{
    for (int k = 0; k < CHANNELS; k++)
        f[k] = (c >> 8 * k & 255) / 255.0f;
}

#pragma acc routine seq
static unsigned pack(const float *f)
{
    unsigned c = 0;
    for (int k = 0; k < CHANNELS; k++)
        c |= (unsigned)(fminf(fmaxf(f[k], 0.0f), 1.0f) * 255.0f) << 8 * k;
    return c;
}

static void columns(int w, int h, struct coefficients c, const unsigned *restrict in, unsigned *restrict out)
{
#pragma acc parallel loop gang vector vector_length(64) present(in[0:w * h], out[0:w * h])
#pragma omp parallel for
    for (int x = 0; x < w; x++) {
        float xp[CHANNELS], yp[CHANNELS], yb[CHANNELS], xn[CHANNELS], xa[CHANNELS], yn[CHANNELS], ya[CHANNELS], xc[CHANNELS], yc[CHANNELS];
        unpack(xp, in[x]);
        for (int k = 0; k < CHANNELS; k++)
            yp[k] = yb[k] = c.coefp * xp[k];
        for (int y = 0; y < h; y++) {
            unpack(xc, in[y * w + x]);
            for (int k = 0; k < CHANNELS; k++) {
                yc[k] = c.a0 * xc[k] + c.a1 * xp[k] - c.b1 * yp[k] - c.b2 * yb[k];
                xp[k] = xc[k];
                yb[k] = yp[k];
                yp[k] = yc[k];
            }
            out[y * w + x] = pack(yc);
        }
        unpack(xn, in[(h - 1) * w + x]);
        for (int k = 0; k < CHANNELS; k++) {
            xa[k] = xn[k];
            yn[k] = ya[k] = c.coefn * xn[k];
        }
        for (int y = h - 1; y >= 0; y--) {
            float sum[CHANNELS];
            unpack(xc, in[y * w + x]);
            unpack(sum, out[y * w + x]);
            for (int k = 0; k < CHANNELS; k++) {
                yc[k] = c.a2 * xn[k] + c.a3 * xa[k] - c.b1 * yn[k] - c.b2 * ya[k];
                xa[k] = xn[k];
                xn[k] = xc[k];
                ya[k] = yn[k];
                yn[k] = yc[k];
                sum[k] += yc[k];
            }
            out[y * w + x] = pack(sum);
        }
    }
}

static void turn(int w, int h, const unsigned *restrict in, unsigned *restrict out)
{
#pragma acc parallel loop tile(32, 8) present(in[0:w * h], out[0:w * h])
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            out[x * h + y] = in[y * w + x];
}
#else
typedef struct { unsigned char r, g, b, a; } pixel;
typedef struct { float r, g, b, a; } colour;

static colour of(pixel p) { return (colour){p.r / 255.f, p.g / 255.f, p.b / 255.f, p.a / 255.f}; }

static unsigned char byte(float v) { return (unsigned char)((v < 0.f ? 0.f : v > 1.f ? 1.f : v) * 255.f); }

static pixel to(colour c) { return (pixel){byte(c.r), byte(c.g), byte(c.b), byte(c.a)}; }

static colour times(float f, colour c) { return (colour){f * c.r, f * c.g, f * c.b, f * c.a}; }

static colour plus(colour p, colour q) { return (colour){p.r + q.r, p.g + q.g, p.b + q.b, p.a + q.a}; }

static colour step(float f, colour x, float g, colour v, const struct coefficients *c, colour y, colour z)
{
    return plus(plus(times(f, x), times(g, v)), plus(times(-c->b1, y), times(-c->b2, z)));
}

static void columns(long w, long h, struct coefficients c, pixel *in, pixel *out)
{
#pragma acc kernels loop independent vector(64) present(in[0:w * h], out[0:w * h])
#pragma omp parallel for
    for (long x = 0; x < w; ++x) {
        pixel *from = in + x, *into = out + x;
        colour before = of(*from), last = times(c.coefp, before), older = last;
        for (long y = 0; y < h; ++y, from += w, into += w) {
            const colour here = of(*from), now = step(c.a0, here, c.a1, before, &c, last, older);
            *into = to(now);
            before = here;
            older = last;
            last = now;
        }
        from -= w;
        into -= w;
        colour next = of(*from), after = next;
        last = older = times(c.coefn, next);
        for (long y = h - 1; y >= 0; --y, from -= w, into -= w) {
            const colour now = step(c.a2, next, c.a3, after, &c, last, older);
            after = next;
            next = of(*from);
            older = last;
            last = now;
            *into = to(plus(of(*into), now));
        }
    }
}

static void turn(long w, long h, pixel *pin, pixel *pout)
{
    pixel(*in)[w] = (pixel(*)[w])pin, (*out)[h] = (pixel(*)[h])pout;
#pragma acc kernels present(in[0:h], out[0:w])
#pragma acc loop independent
#pragma omp parallel for
    for (long y = 0; y < h; ++y)
#pragma acc loop independent
        for (long x = 0; x < w; ++x)
            out[x][y] = in[y][x];
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> args.shift / 3, all = n * n;
    unsigned *picture = NEW(unsigned, all), *first = NEW(unsigned, all), *second = NEW(unsigned, all);
    double sigma = 10, alpha = 1.695 / sigma, ema = exp(-alpha), ema2 = exp(-2 * alpha), sum = 0;
    double k = (1 - ema) * (1 - ema) / (1 + 2 * alpha * ema - ema2), b1 = -2 * ema, b2 = ema2;
    struct coefficients c = {k, k * (alpha - 1) * ema, k * (alpha + 1) * ema, -k * ema2, b1, b2, 0, 0};
    c.coefp = (c.a0 + c.a1) / (1 + b1 + b2);
    c.coefn = (c.a2 + c.a3) / (1 + b1 + b2);
    for (int i = 0; i < all; i++)
        picture[i] = mix(i);
#if SPELLING == 1
    unsigned *in = picture, *one = first, *two = second;
#else
    pixel *in = (pixel *)picture, *one = (pixel *)first, *two = (pixel *)second;
#endif
#pragma acc enter data copyin(in[0:all]) create(one[0:all], two[0:all])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        columns(n, n, c, in, one);
        turn(n, n, one, two);
        columns(n, n, c, two, one);
        turn(n, n, one, two);
    }
#pragma acc update self(two[0:all])
    for (int i = 0; i < all; i++)
        for (int s = 0; s < 32; s += 8)
            sum += second[i] >> s & 255;
    report("recursive", t.best, sum);
    return 0;
}
