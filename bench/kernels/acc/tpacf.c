// Angular correlation of 8192 points of the sky with each other, float: the bin of the cosine of each pair by binary search in
// 32 bounds, counted.
#include "../kernels.h"

enum { POINTS = 1 << 13, BINS = 32 };

#if SPELLING == 1
static void correlate(int n, const float *restrict x, const float *restrict y, const float *restrict z,
                      const float *restrict bounds, unsigned *restrict counts)
{
#pragma acc parallel loop present(counts[0:BINS])
#pragma omp parallel for simd
    for (int k = 0; k < BINS; k++)
        counts[k] = 0;
#pragma acc parallel loop gang present(x[0:n], y[0:n], z[0:n], bounds[0:BINS + 1], counts[0:BINS])
#pragma omp parallel for reduction(+ : counts[:BINS]) schedule(dynamic, 16)
    for (int i = 0; i < n; i++) {
#pragma acc loop vector
        for (int j = i + 1; j < n; j++) {
            float cosine = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
            int low = 0, high = BINS;
            while (high > low + 1) {
                int middle = (low + high) / 2;
                if (cosine >= bounds[middle])
                    high = middle;
                else
                    low = middle;
            }
#pragma acc atomic update
            counts[low]++;
        }
    }
}
#else
#pragma acc routine seq
static unsigned bin_of(float value, const float *bounds)
{
    unsigned at = 0;
    for (unsigned step = BINS / 2; step; step >>= 1)
        if (value < bounds[at + step])
            at += step;
    return at;
}

static void correlate(unsigned n, float *x, float *y, float *z, float *bounds, unsigned *counts)
{
#pragma acc kernels present(x[0:n], y[0:n], z[0:n], bounds[0:BINS + 1], counts[0:BINS])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (unsigned k = 0; k < BINS; ++k)
            counts[k] = 0;
#pragma acc loop independent
#pragma omp parallel for reduction(+ : counts[:BINS]) schedule(dynamic, 16)
        for (unsigned i = 0; i < n; ++i) {
            float px = x[i], py = y[i], pz = z[i];
#pragma acc loop independent
            for (unsigned j = i + 1; j < n; ++j) {
                unsigned bin = bin_of(px * x[j] + py * y[j] + pz * z[j], bounds);
#pragma acc atomic
                counts[bin] += 1;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = POINTS >> args.shift / 2;
    float *x = NEW(float, n), *y = NEW(float, n), *z = NEW(float, n), bounds[BINS + 1];
    unsigned counts[BINS];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double height = 2 * number(2 * i) - 1, angle = 6.283185307179586 * number(2 * i + 1), r = sqrt(1 - height * height);
        x[i] = r * cos(angle), y[i] = r * sin(angle), z[i] = height;
    }
    for (int k = 0; k <= BINS; k++)
        bounds[k] = cos(3.141592653589793 * k * k / (BINS * BINS));
#pragma acc enter data copyin(x[0:n], y[0:n], z[0:n], bounds[0:BINS + 1]) create(counts[0:BINS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        correlate(n, x, y, z, bounds, counts);
#pragma acc update self(counts[0:BINS])
    for (int k = 0; k < BINS; k++)
        sum += (double)counts[k] * (k + 1);
    report("tpacf", t.best, sum);
    return 0;
}
