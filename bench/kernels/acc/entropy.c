// The entropy of 16 grey levels in the 5 x 5 points around each of 1024 x 1024, float: a histogram for each point.
#include "../kernels.h"

enum { SIDE = 1024, RADIUS = 2, LEVELS = 16 };

#if SPELLING == 1
static void entropy(int n, const unsigned char *restrict level, float *restrict out)
{
#pragma acc parallel loop collapse(2) present(level[0:n * n], out[0:n * n])
#pragma omp parallel for collapse(2)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            int count[LEVELS] = {0}, all = 0;
            for (int dy = -RADIUS; dy <= RADIUS; dy++)
                for (int dx = -RADIUS; dx <= RADIUS; dx++)
                    if (y + dy >= 0 && y + dy < n && x + dx >= 0 && x + dx < n) {
                        count[level[(y + dy) * n + x + dx]]++;
                        all++;
                    }
            float sum = 0;
            for (int k = 0; k < LEVELS; k++)
                if (count[k]) {
                    float p = (float)count[k] / all;
                    sum -= p * log2f(p);
                }
            out[y * n + x] = sum;
        }
}
#else
static float of_counts(const unsigned char *count, unsigned all)
{
    float sum = 0;
    for (unsigned k = 0; k != LEVELS; ++k) {
        float p = (float)count[k] / (float)all;
        sum += count[k] > 0 ? -p * log2f(p) : 0.0f;
    }
    return sum;
}

static void entropy(unsigned n, unsigned char *level, float *out)
{
#pragma acc kernels present(level[0:n * n], out[0:n * n])
#pragma acc loop independent
#pragma omp parallel for
    for (unsigned y = 0; y < n; ++y)
#pragma acc loop independent
        for (unsigned x = 0; x < n; ++x) {
            unsigned char count[LEVELS];
            for (unsigned k = 0; k < LEVELS; ++k)
                count[k] = 0;
            unsigned top = y < RADIUS ? 0 : y - RADIUS, bottom = y + RADIUS < n ? y + RADIUS : n - 1;
            unsigned left = x < RADIUS ? 0 : x - RADIUS, right = x + RADIUS < n ? x + RADIUS : n - 1;
            for (unsigned yy = top; yy <= bottom; ++yy)
                for (unsigned xx = left; xx <= right; ++xx)
                    ++count[level[yy * n + xx]];
            out[y * n + x] = of_counts(count, (bottom - top + 1) * (right - left + 1));
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2;
    unsigned char *level = NEW(unsigned char, n *n);
    float *out = NEW(float, n *n);
    double sum = 0;
    for (int k = 0; k < n * n; k++)
        level[k] = mix(k) % LEVELS;
#pragma acc enter data copyin(level[0:n * n]) create(out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        entropy(n, level, out);
#pragma acc update self(out[0:n * n])
    SUM(sum, out, n * n);
    report("entropy", t.best, sum);
    return 0;
}
