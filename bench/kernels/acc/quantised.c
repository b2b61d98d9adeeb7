// A matrix of 16384 x 8192 signed bytes times a vector of signed bytes, with a scale of type float for each 32 of both.
#include "../kernels.h"

enum { ROWS = 1 << 14, COLUMNS = 1 << 13, GROUP = 32, GROUPS = COLUMNS / GROUP };

#if SPELLING == 1
static void multiply(int rows, const signed char *restrict w, const float *restrict scale, const signed char *restrict x,
                     const float *restrict xscale, float *restrict y)
{
#pragma acc parallel loop gang present(w[0:rows * COLUMNS], scale[0:rows * GROUPS], x[0:COLUMNS], xscale[0:GROUPS], y[0:rows])
#pragma omp parallel for
    for (int i = 0; i < rows; i++) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int g = 0; g < GROUPS; g++) {
            int dot = 0;
            for (int k = 0; k < GROUP; k++)
                dot += w[i * COLUMNS + g * GROUP + k] * x[g * GROUP + k];
            sum += scale[i * GROUPS + g] * xscale[g] * dot;
        }
        y[i] = sum;
    }
}
#else
typedef signed char group[GROUP];

static short times(signed char a, signed char b) { return (short)(a * b); }

static void multiply(size_t rows, group (*w)[GROUPS], float (*scale)[GROUPS], group *x, float *xscale, float *y)
{
#pragma acc parallel num_workers(4) vector_length(32) present(w[0:rows], scale[0:rows], x[0:GROUPS], xscale[0:GROUPS], y[0:rows])
#pragma acc loop gang worker
#pragma omp parallel for
    for (size_t i = 0; i < rows; ++i) {
        float sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (size_t g = 0; g < GROUPS; ++g) {
            long dot = 0;
#pragma acc loop seq
            for (size_t k = 0; k < GROUP; ++k)
                dot += times(w[i][g][k], x[g][k]);
            sum += (float)dot * scale[i][g] * xscale[g];
        }
        y[i] = sum;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, all = rows * COLUMNS;
    signed char *w = NEW(signed char, all), *x = NEW(signed char, COLUMNS);
    float *scale = NEW(float, rows *GROUPS), *xscale = NEW(float, GROUPS), *y = NEW(float, rows);
    double sum = 0;
    for (int k = 0; k < all; k++)
        w[k] = (int)(mix(k) % 255) - 127;
    for (int k = 0; k < COLUMNS; k++)
        x[k] = (int)(mix(k + 3) % 255) - 127;
    FILL(scale, rows * GROUPS, 0.01f);
    FILL(xscale, GROUPS, 0.01f);
#pragma acc enter data copyin(w[0:all], scale[0:rows * GROUPS], x[0:COLUMNS], xscale[0:GROUPS]) create(y[0:rows])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        multiply(rows, w, scale, x, xscale, y);
#else
        multiply(rows, (group(*)[GROUPS])w, (float(*)[GROUPS])scale, (group *)x, xscale, y);
#endif
    }
#pragma acc update self(y[0:rows])
    for (int k = 0; k < rows; k++)
        sum += fabs(y[k]);
    report("quantised", t.best, sum);
    return 0;
}
