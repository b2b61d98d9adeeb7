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
