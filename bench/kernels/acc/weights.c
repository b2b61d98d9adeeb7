// A particle filter's step: weights of 65536 particles from 32 measurements each, their sum, cumulative sums by a scan in steps, and
// resampling by bisection.
#include "../kernels.h"

enum { PARTICLES = 1 << 16, POINTS = 32 };

#if SPELLING == 1
static void resample(int n, int pixels, const unsigned char *restrict image, const float *restrict x, const int *restrict offset,
                     float *restrict w, float *restrict c, float *restrict next, int *restrict chosen)
{
    float sum = 0;
#pragma acc parallel loop reduction(+ : sum) present(image[0:pixels], x[0:n], offset[0:POINTS], w[0:n])
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        float likely = 0;
        for (int k = 0; k < POINTS; k++) {
            int at = (int)roundf(x[i]) + offset[k];
            at = at < 0 ? -at : at;
            at = at >= pixels ? 0 : at;
            likely += (powf(image[at] - 100.f, 2) - powf(image[at] - 228.f, 2)) / 5000.f;
        }
        w[i] = expf(likely / POINTS * 0.1f);
        sum += w[i];
    }
#pragma acc parallel loop present(w[0:n], c[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        w[i] /= sum;
        c[i] = w[i];
    }
    for (int step = 1; step < n; step *= 2) {
#pragma acc parallel loop present(c[0:n], next[0:n])
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            next[i] = i >= step ? c[i] + c[i - step] : c[i];
        float *swap = c;
        c = next, next = swap;
    }
#pragma acc parallel loop present(c[0:n], chosen[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float u = (i + 0.5f) / n;
        int low = 0, high = n - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (c[middle] < u)
                low = middle + 1;
            else
                high = middle;
        }
        chosen[i] = low;
    }
}
#else
#define SQUARE(x) ((x) * (x))

static void resample(size_t n, size_t pixels, unsigned char *image, float *x, int *offset, float *w, float *c, float *next, int *chosen)
{
    float total = 0;
#pragma acc data present(image[0:pixels], x[0:n], offset[0:POINTS], w[0:n], c[0:n], next[0:n], chosen[0:n])
    {
#pragma acc kernels loop independent reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
        for (size_t i = 0; i < n; ++i) {
            double likely = 0;
            const long place = lroundf(x[i]);
            for (const int *o = offset; o < offset + POINTS; ++o) {
                long at = labs(place + *o);
                float value = image[at < (long)pixels ? at : 0];
                likely += (SQUARE(value - 100.f) - SQUARE(value - 228.f)) / 5000.f;
            }
            total += w[i] = expf((float)likely / POINTS * 0.1f);
        }
#pragma acc kernels loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i)
            c[i] = w[i] = w[i] / total;
        for (size_t step = 1; step < n; step <<= 1) {
#pragma acc kernels loop independent
#pragma omp parallel for
            for (size_t i = 0; i < n; ++i) {
                float before = 0;
                if (i >= step)
                    before = c[i - step];
                next[i] = c[i] + before;
            }
            float *swap = c;
            c = next;
            next = swap;
        }
#pragma acc kernels loop independent
#pragma omp parallel for
        for (size_t i = 0; i < n; ++i) {
            float u = (i + 0.5f) / n;
            const float *low = c, *high = c + n - 1;
            while (low < high) {
                const float *middle = low + (high - low) / 2;
                if (*middle < u)
                    low = middle + 1;
                else
                    high = middle;
            }
            chosen[i] = (int)(low - c);
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PARTICLES >> args.shift, pixels = 1 << 14, offset[POINTS], *chosen = NEW(int, n);
    unsigned char *image = NEW(unsigned char, pixels);
    float *x = NEW(float, n), *w = NEW(float, n), *c = NEW(float, n), *next = NEW(float, n);
    double sum = 0;
    for (int k = 0; k < pixels; k++)
        image[k] = 100 + mix(k) % 128;
    for (int k = 0; k < POINTS; k++)
        offset[k] = (k % 8 - 4) + (k / 8 - 2) * 128;
    FILL(x, n, pixels);
#pragma acc enter data copyin(image[0:pixels], x[0:n], offset[0:POINTS]) create(w[0:n], c[0:n], next[0:n], chosen[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        resample(n, pixels, image, x, offset, w, c, next, chosen);
#pragma acc update self(w[0:n], chosen[0:n])
    for (int i = 0; i < n; i++)
        sum += w[i] * (1 + i % 5) + chosen[i] * 1e-9;
    report("weights", t.best, sum);
    return 0;
}
