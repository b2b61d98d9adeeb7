// Histograms of the three colours of an image of 2^24 pixels of four bytes, 256 bins each.
#include "../kernels.h"

enum { PIXELS = 1 << 24, BINS = 256 };

struct pixel {
    unsigned char red, green, blue, alpha;
};

#if SPELLING == 1
static void count(int n, const struct pixel *restrict p, int *restrict bins)
{
#pragma acc parallel loop present(p[0:n], bins[0:3 * BINS])
#pragma omp parallel for reduction(+ : bins[:3 * BINS])
    for (int i = 0; i < n; i++) {
#pragma acc atomic update
        bins[p[i].red]++;
#pragma acc atomic update
        bins[BINS + p[i].green]++;
#pragma acc atomic update
        bins[2 * BINS + p[i].blue]++;
    }
}
#else
static void count(size_t n, struct pixel *p, int *flat)
{
    int(*bins)[BINS] = (int(*)[BINS])flat;
#pragma acc parallel loop gang vector present(p[0:n], bins[0:3][0:BINS])
#pragma omp parallel for reduction(+ : bins[:3])
    for (size_t i = 0; i < n; i++) {
        const struct pixel *here = p + i;
        const unsigned char colours[3] = {here->red, here->green, here->blue};
        for (size_t c = 0; c < 3; c++)
#pragma acc atomic
            bins[c][colours[c]] += 1;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PIXELS >> args.shift, *bins = NEW(int, 3 * BINS);
    struct pixel *p = NEW(struct pixel, n);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        unsigned h = mix(i);
        p[i] = (struct pixel){h & 255, h >> 8 & 63, h >> 16 & h >> 24 & 255, 0};
    }
    FILL(bins, 3 * BINS, 0);
#pragma acc enter data copyin(p[0:n], bins[0:3 * BINS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        count(n, p, bins);
#pragma acc update self(bins[0:3 * BINS])
    for (int b = 0; b < 3 * BINS; b++)
        sum += (double)bins[b] * (1 + b % 11);
    report("channels", t.best, sum);
    return 0;
}
