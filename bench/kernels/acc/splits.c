// The next splits of a boosted tree: 2^18 samples in eight leaves, 64 features in bins of bytes; for each leaf and feature histograms of the
// gradients and curvatures, which are quantised to whole numbers, then the bin below which a split gains most, and the best of all features.
#include "../kernels.h"

enum { SAMPLES = 1 << 18, FEATURES = 64, BINS = 256, LEAVES = 8, LEAST = 32 };

#define LAMBDA 16.0

#if SPELLING == 1
static void split(int n, const unsigned char *restrict bin, const unsigned char *restrict leaf, const short *restrict gradient,
                  const short *restrict curvature, int *restrict g, int *restrict h, double *restrict gain, int *restrict place,
                  double *restrict best, int *restrict where)
{
    const int all = LEAVES * FEATURES * BINS;
#pragma acc data present(bin[0:FEATURES * n], leaf[0:n], gradient[0:n], curvature[0:n], g[0:all], h[0:all]) \
    present(gain[0:LEAVES * FEATURES], place[0:LEAVES * FEATURES], best[0:LEAVES], where[0:LEAVES])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < all; k++)
            g[k] = h[k] = 0;
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
        for (int f = 0; f < FEATURES; f++)
            for (int s = 0; s < n; s++) {
                int k = (leaf[s] * FEATURES + f) * BINS + bin[f * n + s];
#pragma acc atomic update
#pragma omp atomic
                g[k] += gradient[s];
#pragma acc atomic update
#pragma omp atomic
                h[k] += curvature[s];
            }
#pragma acc parallel loop vector_length(32)
#pragma omp parallel for
        for (int k = 0; k < LEAVES * FEATURES; k++) {
            int gs = 0, hs = 0, gl = 0, hl = 0, at = -1;
            double most = 0;
            for (int b = 0; b < BINS; b++) {
                gs += g[k * BINS + b];
                hs += h[k * BINS + b];
            }
            for (int b = 0; b < BINS - 1; b++) {
                gl += g[k * BINS + b];
                hl += h[k * BINS + b];
                if (hl < LEAST || hs - hl < LEAST)
                    continue;
                double gr = gs - gl, hr = hs - hl;
                double gained = (double)gl * gl / (hl + LAMBDA) + gr * gr / (hr + LAMBDA) - (double)gs * gs / (hs + LAMBDA);
                if (gained > most) {
                    most = gained;
                    at = b;
                }
            }
            gain[k] = most;
            place[k] = at;
        }
#pragma acc parallel loop vector_length(32)
#pragma omp parallel for
        for (int l = 0; l < LEAVES; l++) {
            double most = 0;
            int at = -1;
            for (int f = 0; f < FEATURES; f++)
                if (gain[l * FEATURES + f] > most) {
                    most = gain[l * FEATURES + f];
                    at = f * BINS + place[l * FEATURES + f];
                }
            best[l] = most;
            where[l] = at;
        }
    }
}
#else
typedef struct { int g, h; } sums;
typedef struct { short gradient, curvature; } slope;

enum { CHUNK = 8192 };

static void split(size_t n, const unsigned char (*bin)[n], const unsigned char *leaf, const slope *slopes,
                  sums (*histogram)[FEATURES][BINS], double (*gain)[FEATURES], int (*place)[FEATURES], double *best, int *where)
{
#pragma acc data present(bin[0:FEATURES], leaf[0:n], slopes[0:n], histogram[0:LEAVES], gain[0:LEAVES], place[0:LEAVES]) \
    present(best[0:LEAVES], where[0:LEAVES])
    {
#pragma acc parallel loop collapse(3)
        for (size_t l = 0; l < LEAVES; ++l)
            for (size_t f = 0; f < FEATURES; ++f)
                for (size_t b = 0; b < BINS; ++b)
                    histogram[l][f][b].g = histogram[l][f][b].h = 0;
        // a gang has a feature and some of the samples
#pragma acc parallel loop gang collapse(2) vector_length(256)
#pragma omp parallel for
        for (size_t f = 0; f < FEATURES; ++f)
            for (size_t from = 0; from < n; from += CHUNK) {
                sums mine[LEAVES][BINS];
                const size_t to = from + CHUNK < n ? from + CHUNK : n;
#pragma acc loop vector collapse(2)
                for (size_t l = 0; l < LEAVES; ++l)
                    for (size_t b = 0; b < BINS; ++b)
                        mine[l][b] = (sums){0, 0};
#pragma acc loop vector
                for (size_t s = from; s < to; ++s) {
                    sums *const here = &mine[leaf[s]][bin[f][s]];
#pragma acc atomic update
#pragma omp atomic
                    here->g += slopes[s].gradient;
#pragma acc atomic update
#pragma omp atomic
                    here->h += slopes[s].curvature;
                }
#pragma acc loop vector collapse(2)
                for (size_t l = 0; l < LEAVES; ++l)
                    for (size_t b = 0; b < BINS; ++b)
                        if (mine[l][b].h) {
#pragma acc atomic update
#pragma omp atomic
                            histogram[l][f][b].g += mine[l][b].g;
#pragma acc atomic update
#pragma omp atomic
                            histogram[l][f][b].h += mine[l][b].h;
                        }
            }
#pragma acc parallel loop gang collapse(2) vector_length(128)
#pragma omp parallel for
        for (size_t l = 0; l < LEAVES; ++l)
            for (size_t f = 0; f < FEATURES; ++f) {
                sums left[BINS];
                double gained[BINS], most = 0;
                int at = BINS;
                left[0] = histogram[l][f][0];
#pragma acc loop seq
                for (size_t b = 1; b < BINS; ++b) {
                    left[b].g = left[b - 1].g + histogram[l][f][b].g;
                    left[b].h = left[b - 1].h + histogram[l][f][b].h;
                }
                const double g = left[BINS - 1].g, h = left[BINS - 1].h;
#pragma acc loop vector reduction(max : most)
                for (size_t b = 0; b < BINS; ++b) {
                    const double gl = left[b].g, hl = left[b].h;
                    gained[b] = -1;
                    if (hl >= LEAST && h - hl >= LEAST)
                        gained[b] = gl * gl / (hl + LAMBDA) + (g - gl) * (g - gl) / (h - hl + LAMBDA) - g * g / (h + LAMBDA);
                    most = fmax(most, gained[b]);
                }
#pragma acc loop vector reduction(min : at)
                for (int b = 0; b < BINS; ++b)
                    if (most > 0 && gained[b] == most && b < at)
                        at = b;
                gain[l][f] = most;
                place[l][f] = most > 0 ? at : -1;
            }
#pragma acc parallel loop gang vector_length(64)
#pragma omp parallel for
        for (size_t l = 0; l < LEAVES; ++l) {
            double most = 0;
            int at = FEATURES;
#pragma acc loop vector reduction(max : most)
            for (int f = 0; f < FEATURES; ++f)
                most = fmax(most, gain[l][f]);
#pragma acc loop vector reduction(min : at)
            for (int f = 0; f < FEATURES; ++f)
                if (gain[l][f] == most && f < at)
                    at = f;
            best[l] = most;
            where[l] = most > 0 ? at * BINS + place[l][at] : -1;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, place[LEAVES * FEATURES], where[LEAVES];
    unsigned char *bin = NEW(unsigned char, n * FEATURES), *leaf = NEW(unsigned char, n);
    double gain[LEAVES * FEATURES], best[LEAVES], sum = 0;
    short *gradient = NEW(short, n), *curvature = NEW(short, n);
    for (int k = 0; k < n * FEATURES; k++) {
        unsigned any = mix(k);
        bin[k] = k / n % 3 ? any % 256 : (any % 256) * (any / 256 % 256) / 256;
    }
    for (int s = 0; s < n; s++) {
        leaf[s] = mix(s + 1) % 8 * (mix(s + 2) % 8 + 1) / 8;
        int f = leaf[s] * 7 + 3;
        gradient[s] = mix(s + 3) % 256 - 128 + (bin[f * n + s] > 100 + leaf[s] * 10 ? 40 : -20);
        curvature[s] = 1 + mix(s + 4) % 32;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *g = NEW(int, LEAVES * FEATURES * BINS), *h = NEW(int, LEAVES * FEATURES * BINS);
#pragma acc enter data copyin(bin[0:n * FEATURES], leaf[0:n], gradient[0:n], curvature[0:n]) \
    create(g[0:LEAVES * FEATURES * BINS], h[0:LEAVES * FEATURES * BINS], gain, place, best, where)
    while (lap(&t))
        split(n, bin, leaf, gradient, curvature, g, h, gain, place, best, where);
#else
    sums *histogram = NEW(sums, LEAVES * FEATURES * BINS);
    slope *slopes = NEW(slope, n);
    for (int s = 0; s < n; s++)
        slopes[s] = (slope){gradient[s], curvature[s]};
#pragma acc enter data copyin(bin[0:n * FEATURES], leaf[0:n], slopes[0:n]) \
    create(histogram[0:LEAVES * FEATURES * BINS], gain, place, best, where)
    while (lap(&t))
        split(n, (const unsigned char(*)[n])bin, leaf, slopes, (sums(*)[FEATURES][BINS])histogram, (double(*)[FEATURES])gain,
              (int(*)[FEATURES])place, best, where);
#endif
#pragma acc update self(gain, best, where)
    for (int k = 0; k < LEAVES * FEATURES; k++)
        sum += gain[k] * (1 + k % 5);
    for (int l = 0; l < LEAVES; l++)
        sum += best[l] + 10.0 * where[l] * (l + 1);
    report("splits", t.best, sum);
    return 0;
}
