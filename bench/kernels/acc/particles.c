// Resampling of 100000 particles by their weights: a likelihood from 49 pixels around each, the weights' sum, and for each of as many
// even steps the first particle whose running sum is beyond it, by bisection.
#include "../kernels.h"

enum { PARTICLES = 100000, SIZE = 512, AROUND = 3 };

#if SPELLING == 1
static double weigh(int n, const float *restrict x, const float *restrict y, const unsigned char *restrict image, double *restrict weight)
{
    double total = 0;
#pragma acc parallel loop reduction(+ : total) present(x[0:n], y[0:n], image[0:SIZE * SIZE], weight[0:n])
#pragma omp parallel for reduction(+ : total)
    for (int k = 0; k < n; k++) {
        int cx = (int)roundf(x[k]), cy = (int)roundf(y[k]);
        double likelihood = 0;
        for (int dy = -AROUND; dy <= AROUND; dy++)
            for (int dx = -AROUND; dx <= AROUND; dx++) {
                double pixel = image[(cy + dy) * SIZE + cx + dx];
                likelihood += ((pixel - 100) * (pixel - 100) - (pixel - 228) * (pixel - 228)) / 50.0;
            }
        weight[k] = exp(likelihood / 49 / 1000);
        total += weight[k];
    }
    return total;
}

static void choose(int n, const double *restrict running, double total, const float *restrict x, const float *restrict y, float *restrict nx,
                   float *restrict ny)
{
#pragma acc parallel loop present(running[0:n], x[0:n], y[0:n], nx[0:n], ny[0:n])
#pragma omp parallel for
    for (int k = 0; k < n; k++) {
        double at = total * (k + 0.5) / n;
        int low = 0, high = n - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (running[middle] < at)
                low = middle + 1;
            else
                high = middle;
        }
        nx[k] = x[low];
        ny[k] = y[low];
    }
}
#else
#define PIXEL(x, y) picture[y][x]
#define SQUARE(a) ((a) * (a))

static double weigh(size_t n, float *x, float *y, unsigned char *image, double *weight)
{
    unsigned char(*picture)[SIZE] = (unsigned char(*)[SIZE])image;
    double total = 0;
#pragma acc kernels present(x[0:n], y[0:n], picture[0:SIZE], weight[0:n])
#pragma acc loop independent reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
    for (size_t k = 0; k < n; ++k) {
        long cx = lroundf(x[k]), cy = lroundf(y[k]);
        double likelihood = 0;
        for (unsigned p = 0; p < SQUARE(2 * AROUND + 1); ++p) {
            int pixel = PIXEL(cx + p % (2 * AROUND + 1) - AROUND, cy + p / (2 * AROUND + 1) - AROUND);
            likelihood += (SQUARE(pixel - 100) - SQUARE(pixel - 228)) / 50.0;
        }
        total += weight[k] = exp(likelihood / SQUARE(2 * AROUND + 1) / 1000);
    }
    return total;
}

#pragma acc routine seq
static size_t first_beyond(const double *running, size_t n, double at)
{
    size_t from = 0, count = n - 1;
    while (count > 0) {
        size_t half = count / 2;
        if (running[from + half] < at) {
            from += half + 1;
            count -= half + 1;
        } else
            count = half;
    }
    return from;
}

static void choose(size_t n, double *running, double total, float *x, float *y, float *nx, float *ny)
{
#pragma acc parallel loop gang vector present(running[0:n], x[0:n], y[0:n], nx[0:n], ny[0:n])
#pragma omp parallel for
    for (size_t k = 0; k < n; ++k) {
        size_t at = first_beyond(running, n, total * (k + 0.5) / n);
        nx[k] = x[at];
        ny[k] = y[at];
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = PARTICLES >> args.shift;
    float *x = NEW(float, n), *y = NEW(float, n), *nx = NEW(float, n), *ny = NEW(float, n);
    unsigned char *image = NEW(unsigned char, SIZE *SIZE);
    double *weight = NEW(double, n), *running = NEW(double, n), total = 0, sum = 0;
    for (int k = 0; k < SIZE * SIZE; k++)
        image[k] = 90 + mix(k) % 60;
    for (int k = 0; k < n; k++) {
        x[k] = 10 + (SIZE - 20) * number(k);
        y[k] = 10 + (SIZE - 20) * number(2 * k + 1);
        sum += 0.1 + number(k);
        running[k] = sum;
    }
#pragma acc enter data copyin(x[0:n], y[0:n], image[0:SIZE * SIZE], running[0:n]) create(weight[0:n], nx[0:n], ny[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        total = weigh(n, x, y, image, weight);
        choose(n, running, running[n - 1], x, y, nx, ny);
    }
#pragma acc update self(nx[0:n], ny[0:n])
    SUM(total, nx, n);
    SUM(total, ny, n);
    report("particles", t.best, total);
    return 0;
}
