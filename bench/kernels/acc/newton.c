// Newton's method for z^3 = 1 from 1024 x 1024 points of the complex plane, double: which root, and after how many steps.
#include "../kernels.h"
#include <complex.h>

enum { SIDE = 1024, STEPS = 40 };

#if SPELLING == 1
static void basins(int n, int *restrict steps)
{
#pragma acc parallel loop collapse(2) present(steps[0:n * n])
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = -2 + 4.0 * j / n + 1e-3, y = -2 + 4.0 * i / n + 1e-3;
            int k = 0;
            for (; k < STEPS; k++) {
                double x2 = x * x - y * y, y2 = 2 * x * y;
                double p = x2 * x - y2 * y - 1, q = x2 * y + y2 * x;
                if (p * p + q * q < 1e-12)
                    break;
                double below = 3 * (x2 * x2 + y2 * y2);
                x -= (p * x2 + q * y2) / below;
                y -= (q * x2 - p * y2) / below;
            }
            steps[i * n + j] = 3 * k + (x > 0 ? 0 : y > 0 ? 1 : 2);
        }
}
#else
typedef double complex number_t;

static number_t cubed_less_one(number_t z) { return z * z * z - 1; }

static void basins(unsigned n, int *steps)
{
#pragma acc parallel loop gang worker present(steps[0:n * n])
#pragma omp parallel for
    for (unsigned i = 0; i < n; ++i)
#pragma acc loop vector
        for (unsigned j = 0; j < n; ++j) {
            number_t z = (-2 + 4.0 * j / n + 1e-3) + (-2 + 4.0 * i / n + 1e-3) * I;
            int k = 0;
            while (k < STEPS) {
                number_t f = cubed_less_one(z), slope = 3 * z * z;
                double re = creal(f), im = cimag(f);
                if (re * re + im * im < 1e-12)
                    break;
                double below = creal(slope) * creal(slope) + cimag(slope) * cimag(slope);
                z -= f * conj(slope) / below;
                ++k;
            }
            int root = creal(z) > 0 ? 0 : cimag(z) > 0 ? 1 : 2;
            steps[i * n + j] = 3 * k + root;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, *steps = NEW(int, n *n);
    double sum = 0;
#pragma acc enter data create(steps[0:n * n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        basins(n, steps);
#pragma acc update self(steps[0:n * n])
    SUM(sum, steps, n * n);
    report("newton", t.best, sum);
    return 0;
}
