// The way back through a normalisation by the root of the mean square, float, 8192 rows of 2048: what changes each
// input, from two sums over its row, and what changes the scale of each column, over all rows.
#include "../kernels.h"

enum { ROWS = 8192, COLUMNS = 2048, CHUNK = 64 };

#if SPELLING == 1
static void backward(int rows, const float *restrict x, const float *restrict scale, const float *restrict dy,
                     float *restrict inverse, float *restrict dx, float *restrict dscale)
{
#pragma acc data present(x[0:rows * COLUMNS], scale[0:COLUMNS], dy[0:rows * COLUMNS], inverse[0:rows]) \
    present(dx[0:rows * COLUMNS], dscale[0:COLUMNS])
    {
#pragma acc parallel loop gang vector_length(256)
#pragma omp parallel for
        for (int i = 0; i < rows; i++) {
            float squares = 0, dot = 0;
#pragma acc loop vector reduction(+ : squares, dot)
            for (int j = 0; j < COLUMNS; j++) {
                squares += x[i * COLUMNS + j] * x[i * COLUMNS + j];
                dot += x[i * COLUMNS + j] * scale[j] * dy[i * COLUMNS + j];
            }
            float r = 1 / sqrtf(squares / COLUMNS + 1e-6f), shift = dot * r * r / COLUMNS;
            inverse[i] = r;
#pragma acc loop vector
            for (int j = 0; j < COLUMNS; j++)
                dx[i * COLUMNS + j] = r * (dy[i * COLUMNS + j] * scale[j] - x[i * COLUMNS + j] * shift);
        }
#pragma acc parallel loop
#pragma omp parallel for simd
        for (int j = 0; j < COLUMNS; j++)
            dscale[j] = 0;
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
        for (int c = 0; c < rows / CHUNK; c++)
            for (int j = 0; j < COLUMNS; j++) {
                float sum = 0;
                for (int i = c * CHUNK; i < (c + 1) * CHUNK; i++)
                    sum += dy[i * COLUMNS + j] * x[i * COLUMNS + j] * inverse[i];
#pragma acc atomic update
#pragma omp atomic
                dscale[j] += sum;
            }
    }
}
#else
typedef float row_t[COLUMNS];

#define SQUARE(a) ((a) * (a))

static void backward(size_t rows, float *in, float *scale, float *out, float *inverse, float *change, float *dscale)
{
    row_t *x = (row_t *)in, *dy = (row_t *)out, *dx = (row_t *)change;
#pragma acc parallel loop gang vector_length(256) present(x[0:rows], dy[0:rows], dx[0:rows], scale[0:COLUMNS]) \
    present(inverse[0:rows])
#pragma omp parallel for
    for (size_t i = 0; i < rows; ++i) {
        const float *from = x[i], *by = dy[i];
        float *to = dx[i], squares = 0, dot = 0;
#pragma acc loop vector reduction(+ : squares) reduction(+ : dot)
        for (unsigned j = 0; j < COLUMNS; ++j) {
            squares += SQUARE(from[j]);
            dot += from[j] * scale[j] * by[j];
        }
        const float r = 1 / sqrtf(squares / COLUMNS + 1e-6f);
        inverse[i] = r;
#pragma acc loop vector
        for (unsigned j = 0; j < COLUMNS; ++j)
            to[j] = r * (by[j] * scale[j] - from[j] * (dot * r * r / COLUMNS));
    }
#pragma acc kernels present(dscale[0:COLUMNS])
#pragma acc loop independent
#pragma omp parallel for
    for (unsigned j = 0; j < COLUMNS; ++j)
        dscale[j] = 0;
#pragma acc parallel loop gang present(x[0:rows], dy[0:rows], inverse[0:rows], dscale[0:COLUMNS])
#pragma omp parallel for
    for (size_t first = 0; first < rows; first += CHUNK) {
#pragma acc loop vector
        for (unsigned j = 0; j < COLUMNS; ++j) {
            float sum = 0;
            size_t i = first;
            while (i < first + CHUNK && i < rows) {
                sum += dy[i][j] * x[i][j] * inverse[i];
                ++i;
            }
#pragma acc atomic
#pragma omp atomic
            dscale[j] += sum;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, all = rows * COLUMNS;
    float *x = NEW(float, all), *dy = NEW(float, all), *dx = NEW(float, all), *scale = NEW(float, COLUMNS);
    float *inverse = NEW(float, rows), *dscale = NEW(float, COLUMNS);
    double sum = 0;
    for (int k = 0; k < all; k++) {
        x[k] = number(2 * k) - 0.5;
        dy[k] = number(2 * k + 1) - 0.3;
    }
    for (int k = 0; k < COLUMNS; k++)
        scale[k] = 0.5 + number(k);
#pragma acc enter data copyin(x[0:all], dy[0:all], scale[0:COLUMNS]) \
    create(dx[0:all], inverse[0:rows], dscale[0:COLUMNS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        backward(rows, x, scale, dy, inverse, dx, dscale);
#pragma acc update self(dx[0:all], dscale[0:COLUMNS])
    for (int k = 0; k < all; k++)
        sum += fabsf(dx[k]);
    for (int k = 0; k < COLUMNS; k++)
        sum += fabsf(dscale[k]) * 100;
    report("rmsgrad", t.best, sum);
    return 0;
}
