// Wilson's operator on quarks on a periodic lattice of 16 x 16 x 16 x 32 sites, float complex: from each of eight
// neighbours a spinor of 4 x 3 is projected to half, turned by the 3 x 3 matrix of the link between them or by its
// adjoint, and made whole again.
#include "../kernels.h"

enum { SIDE = 16, TIMES = 32, SPINS = 4, COLOURS = 3, LINK = 9, SPINOR = SPINS * COLOURS };

typedef struct { float re, im; } complex;

#if SPELLING == 1
typedef struct { complex c[SPINS][COLOURS]; } spinor;
typedef struct { complex u[COLOURS][COLOURS]; } link;

static inline complex plus(complex a, complex b) { return (complex){a.re + b.re, a.im + b.im}; }
static inline complex minus(complex a, complex b) { return (complex){a.re - b.re, a.im - b.im}; }
static inline complex by_i(complex a) { return (complex){-a.im, a.re}; }

// out += (1 - sign gamma[d]) U in, where U is the link or its adjoint.
#pragma acc routine seq
static void hop(int d, int sign, const link *restrict l, const spinor *restrict in, spinor *restrict out)
{
    for (int spin = 0; spin < 2; spin++) {
        complex half[COLOURS], turned[COLOURS];
        int partner = d < 2 ? 3 - spin : 2 + spin;
        for (int c = 0; c < COLOURS; c++) {
            complex low = in->c[partner][c];
            // gamma of this direction above the diagonal: i, -1 and 1, i and -i, 1
            if (d == 0 || d == 2)
                low = by_i(low);
            if ((d == 1 && spin == 0) || (d == 2 && spin == 1))
                low = (complex){-low.re, -low.im};
            half[c] = sign > 0 ? minus(in->c[spin][c], low) : plus(in->c[spin][c], low);
        }
        for (int r = 0; r < COLOURS; r++) {
            complex sum = {0, 0};
            for (int c = 0; c < COLOURS; c++) {
                complex u = sign > 0 ? l->u[r][c] : (complex){l->u[c][r].re, -l->u[c][r].im};
                sum.re += u.re * half[c].re - u.im * half[c].im;
                sum.im += u.re * half[c].im + u.im * half[c].re;
            }
            turned[r] = sum;
        }
        for (int c = 0; c < COLOURS; c++) {
            complex low = turned[c];
            out->c[spin][c] = plus(out->c[spin][c], low);
            if (d == 0 || d == 2)
                low = (complex){low.im, -low.re};
            if ((d == 1 && spin == 0) || (d == 2 && spin == 1))
                low = (complex){-low.re, -low.im};
            out->c[partner][c] = sign > 0 ? minus(out->c[partner][c], low) : plus(out->c[partner][c], low);
        }
    }
}

static void wilson(int side, int times, const link *restrict links, const spinor *restrict in, spinor *restrict out)
{
    int volume = side * side * side * times;
#pragma acc parallel loop present(links[0:4 * volume], in[0:volume], out[0:volume]) vector_length(128)
#pragma omp parallel for
    for (int s = 0; s < volume; s++) {
        int x = s % side, y = s / side % side, z = s / (side * side) % side, t = s / (side * side * side);
        int square = side * side, cube = square * side;
        spinor sum = {0};
        hop(0, 1, &links[4 * s], &in[x == side - 1 ? s - x : s + 1], &sum);
        hop(1, 1, &links[4 * s + 1], &in[y == side - 1 ? s - y * side : s + side], &sum);
        hop(2, 1, &links[4 * s + 2], &in[z == side - 1 ? s - z * square : s + square], &sum);
        hop(3, 1, &links[4 * s + 3], &in[t == times - 1 ? s - t * cube : s + cube], &sum);
        int west = x == 0 ? s + side - 1 : s - 1, south = y == 0 ? s + square - side : s - side;
        int below = z == 0 ? s + cube - square : s - square, before = t == 0 ? s + volume - cube : s - cube;
        hop(0, -1, &links[4 * west], &in[west], &sum);
        hop(1, -1, &links[4 * south + 1], &in[south], &sum);
        hop(2, -1, &links[4 * below + 2], &in[below], &sum);
        hop(3, -1, &links[4 * before + 3], &in[before], &sum);
        out[s] = sum;
    }
}
#else
// Component c of all sites together; what is above gamma's diagonal is a phase times one column in each row.
#define SITE(x, y, z, t) ((((t) * n + (z)) * n + (y)) * n + (x))

typedef float field[2];

static void wilson(long n, long nt, field *links, field *in, field *out)
{
    const long volume = n * n * n * nt;
#pragma acc parallel loop gang collapse(3) \
    present(links[0:4 * LINK * volume], in[0:SPINOR * volume], out[0:SPINOR * volume])
#pragma omp parallel for collapse(3)
    for (long t = 0; t < nt; ++t)
        for (long z = 0; z < n; ++z)
            for (long y = 0; y < n; ++y)
#pragma acc loop vector
                for (long x = 0; x < n; ++x) {
                    static const int column[4][2] = {{1, 0}, {1, 0}, {0, 1}, {0, 1}};
                    static const float phase[4][2][2] = {
                        {{0, 1}, {0, 1}}, {{-1, 0}, {1, 0}}, {{0, 1}, {0, -1}}, {{1, 0}, {1, 0}}};
                    float re[SPINS][COLOURS] = {{0}}, im[SPINS][COLOURS] = {{0}};
                    const long here = SITE(x, y, z, t);
                    const long next[4] = {SITE((x + 1) % n, y, z, t), SITE(x, (y + 1) % n, z, t),
                                          SITE(x, y, (z + 1) % n, t), SITE(x, y, z, (t + 1) % nt)};
                    const long last[4] = {SITE((x + n - 1) % n, y, z, t), SITE(x, (y + n - 1) % n, z, t),
                                          SITE(x, y, (z + n - 1) % n, t), SITE(x, y, z, (t + nt - 1) % nt)};
                    for (int d = 0; d < 4; ++d)
                        for (int back = 0; back < 2; ++back) {
                            const long there = back ? last[d] : next[d], at = back ? there : here;
                            const float s = back ? 1 : -1;
                            for (int a = 0; a < 2; ++a) {
                                const int b = 2 + column[d][a];
                                const float pr = phase[d][a][0], pi = phase[d][a][1];
                                float hr[COLOURS], hi[COLOURS];
                                for (int c = 0; c < COLOURS; ++c) {
                                    const float *up = in[(a * COLOURS + c) * volume + there];
                                    const float *low = in[(b * COLOURS + c) * volume + there];
                                    hr[c] = up[0] + s * (pr * low[0] - pi * low[1]);
                                    hi[c] = up[1] + s * (pr * low[1] + pi * low[0]);
                                }
                                for (int r = 0; r < COLOURS; ++r) {
                                    float gr = 0, gi = 0;
                                    for (int c = 0; c < COLOURS; ++c) {
                                        const float *u =
                                            links[(d * LINK + (back ? c * COLOURS + r : r * COLOURS + c)) * volume +
                                                  at];
                                        const float ui = back ? -u[1] : u[1];
                                        gr += u[0] * hr[c] - ui * hi[c];
                                        gi += u[0] * hi[c] + ui * hr[c];
                                    }
                                    re[a][r] += gr;
                                    im[a][r] += gi;
                                    re[b][r] += s * (pr * gr + pi * gi);
                                    im[b][r] += s * (pr * gi - pi * gr);
                                }
                            }
                        }
                    for (int a = 0; a < SPINS; ++a)
                        for (int c = 0; c < COLOURS; ++c) {
                            out[(a * COLOURS + c) * volume + here][0] = re[a][c];
                            out[(a * COLOURS + c) * volume + here][1] = im[a][c];
                        }
                }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int side = SIDE >> (args.shift + 1) / 3, times = TIMES >> (args.shift + 1) / 3, volume = side * side * side * times;
    complex *links = NEW(complex, 4 * LINK * volume), *in = NEW(complex, SPINOR * volume),
            *out = NEW(complex, SPINOR * volume);
    double sum = 0;
#if SPELLING == 1
#define COMPONENT(k, n) (k)
#else
#define COMPONENT(k, n) ((long)((k) % (n)) * volume + (k) / (n))
#endif
    for (int k = 0; k < 4 * LINK * volume; k++)
        links[COMPONENT(k, 4 * LINK)] = (complex){number(2 * k) - 0.5, number(2 * k + 1) - 0.5};
    for (int k = 0; k < SPINOR * volume; k++)
        in[COMPONENT(k, SPINOR)] = (complex){number(2 * k + 7) - 0.5, number(2 * k + 8) - 0.5};
#pragma acc enter data copyin(links[0:4 * LINK * volume], in[0:SPINOR * volume]) create(out[0:SPINOR * volume])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        wilson(side, times, (link *)links, (spinor *)in, (spinor *)out);
#else
        wilson(side, times, (field *)links, (field *)in, (field *)out);
#endif
    }
#pragma acc update self(out[0:SPINOR * volume])
    for (int k = 0; k < SPINOR * volume; k++) {
        complex c = out[COMPONENT(k, SPINOR)];
        sum += (1 + k % 5) * ((double)c.re * c.re + 2.0 * c.im * c.im);
    }
    report("wilson", t.best, sum);
    return 0;
}
