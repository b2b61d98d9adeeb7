// Mandelbrot set, double, 2048 × 2048, at most 256 iterations.
#include "../kernels.h"

enum { N = 2048, MOST = 256 };

#if SPELLING == 1
static void mandelbrot(int n, int *restrict out)
{
#pragma acc parallel loop collapse(2) present(out[0:n * n])
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double cr = -2 + 3.0 * j / n, ci = -1.5 + 3.0 * i / n, x = 0, y = 0;
            int k = 0;
            while (k < MOST && x * x + y * y <= 4) {
                double t = x * x - y * y + cr;
                y = 2 * x * y + ci;
                x = t;
                k++;
            }
            out[i * n + j] = k;
        }
}
#elif SPELLING == 3
typedef struct { double re, im; } cplx;
static void mandelbrot(int n, int *image)
{
    const double xmin = -2.0, ymin = -1.5, extent = 3.0;
    const int pixels = n * n;
#pragma acc parallel loop present(image[0:pixels])
    for (int p = 0; p < pixels; p++) {
        cplx c = {xmin + extent * (p % n) / n, ymin + extent * (p / n) / n}, z = {0, 0};
        int it;
        for (it = 0; it < MOST; it++) {
            double re2 = z.re * z.re, im2 = z.im * z.im;
            if (re2 + im2 > 4.0)
                break;
            z.im = 2 * z.re * z.im + c.im;
            z.re = re2 - im2 + c.re;
        }
        image[p] = it;
    }
}
#elif SPELLING == 4
#pragma acc routine seq
static int iterate(const double a, const double b)
{
    double x = 0, y = 0, xx = 0, yy = 0;
    int count = 0;
    do {
        y = 2.0 * x * y + b;
        x = xx - yy + a;
        xx = x * x;
        yy = y * y;
        count++;
    } while (count < MOST && xx + yy <= 4.0);
    return count;
}
static void mandelbrot(unsigned n, int *restrict out)
{
#pragma acc kernels present(out[0:n * n])
#pragma acc loop gang independent
    for (unsigned row = 0; row < n; row++) {
        int *line = out + row * n;
        const double b = -1.5 + 3.0 * row / n;
#pragma acc loop vector independent
        for (unsigned col = 0; col < n; col++)
            line[col] = iterate(-2 + 3.0 * col / n, b);
    }
}
#else
#pragma acc routine seq
static int escape(double cr, double ci)
{
    double x = 0, y = 0;
    for (int k = 0; k < MOST; k++) {
        if (x * x + y * y > 4)
            return k;
        double t = x * x - y * y + cr;
        y = 2 * x * y + ci;
        x = t;
    }
    return MOST;
}

static void mandelbrot(size_t n, int *out)
{
#pragma acc parallel loop present(out[0:n * n])
#pragma omp parallel for schedule(dynamic, 4096)
    for (size_t p = 0; p < n * n; p++)
        out[p] = escape(-2 + 3.0 * (p % n) / n, -1.5 + 3.0 * (p / n) / n);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, *out = NEW(int, n * n);
    double sum = 0;
#pragma acc enter data create(out[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        mandelbrot(n, out);
#pragma acc update self(out[0:n * n])
    SUM(sum, out, n * n);
    report("mandelbrot", t.best, sum);
    return 0;
}
