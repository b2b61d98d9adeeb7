// 64 steps of Hoegbom's CLEAN on a radio picture of 1024 x 1024 floats: the point farthest from zero is found, and a tenth of it, spread as the telescope
// spreads a point, is taken away.
#include "../kernels.h"

enum { SIDE = 1024, STEPS = 64, SOURCES = 100 };
#define GAIN 0.1f

#if SPELLING == 1
static void clean(int n, const float *restrict dirty, const float *restrict beam, float *restrict residual, float *restrict model)
{
    int all = n * n, half = n / 2;
#pragma acc data present(dirty[0:all], beam[0:all], residual[0:all], model[0:all])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int k = 0; k < all; k++) {
            residual[k] = dirty[k];
            model[k] = 0;
        }
        for (int step = 0; step < STEPS; step++) {
            float peak = 0;
            int at = all;
#pragma acc parallel loop reduction(max : peak)
#pragma omp parallel for reduction(max : peak)
            for (int k = 0; k < all; k++)
                peak = fmaxf(peak, fabsf(residual[k]));
#pragma acc parallel loop reduction(min : at)
#pragma omp parallel for reduction(min : at)
            for (int k = 0; k < all; k++)
                if (fabsf(residual[k]) == peak && k < at)
                    at = k;
#pragma acc update self(residual[at:1])
            float flux = GAIN * residual[at];
            int row = at / n, column = at % n;
            int top = row - half > 0 ? row - half : 0, bottom = row + half < n ? row + half : n;
            int left = column - half > 0 ? column - half : 0, right = column + half < n ? column + half : n;
#pragma acc parallel loop collapse(2)
#pragma omp parallel for
            for (int i = top; i < bottom; i++)
                for (int j = left; j < right; j++) {
                    residual[i * n + j] -= flux * beam[(i - row + half) * n + j - column + half];
                    if (i == row && j == column)
                        model[i * n + j] += flux;
                }
        }
    }
}
#else
struct peak {
    long row, column;
    float value;
};

static void clean(long n, float (*dirty)[n], float (*beam)[n], float (*residual)[n], float (*model)[n], struct peak *rows, struct peak *best)
{
#pragma acc parallel loop collapse(2) present(dirty[0:n], residual[0:n], model[0:n]) async(1)
#pragma omp parallel for
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j)
            residual[i][j] = dirty[i][j], model[i][j] = 0;
    for (int step = 0; step < STEPS; ++step) {
#pragma acc parallel loop gang vector_length(128) present(residual[0:n], rows[0:n]) async(1)
#pragma omp parallel for
        for (long i = 0; i < n; ++i) {
            float top = -1;
            long column = n;
#pragma acc loop vector reduction(max : top)
#pragma omp simd reduction(max : top)
            for (long j = 0; j < n; ++j)
                top = fabsf(residual[i][j]) > top ? fabsf(residual[i][j]) : top;
#pragma acc loop vector reduction(min : column)
            for (long j = 0; j < n; ++j)
                if (fabsf(residual[i][j]) == top)
                    column = j < column ? j : column;
            rows[i].row = i;
            rows[i].column = column;
            rows[i].value = residual[i][column];
        }
#pragma acc parallel num_gangs(1) vector_length(256) present(model[0:n], rows[0:n], best[0:1]) async(1)
        {
            float top = -1;
            long row = n;
#pragma acc loop vector reduction(max : top)
            for (long i = 0; i < n; ++i)
                top = fabsf(rows[i].value) > top ? fabsf(rows[i].value) : top;
#pragma acc loop vector reduction(min : row)
            for (long i = 0; i < n; ++i)
                if (fabsf(rows[i].value) == top)
                    row = i < row ? i : row;
            best[0] = rows[row];
            best[0].value *= GAIN;
            model[best[0].row][best[0].column] += best[0].value;
        }
#pragma acc parallel loop gang present(beam[0:n], residual[0:n], best[0:1]) async(1)
#pragma omp parallel for
        for (long i = 0; i < n; ++i) {
            long y = i - best->row + n / 2;
            if (y >= 0 && y < n) {
#pragma acc loop vector
#pragma omp simd
                for (long j = 0; j < n; ++j) {
                    long x = j - best->column + n / 2;
                    if (x >= 0 && x < n)
                        residual[i][j] -= best->value * beam[y][x];
                }
            }
        }
    }
#pragma acc wait(1)
}
#endif

// A beam with rings around its middle, and a sky of single points that the beam spreads, with some noise.
static void observe(int n, float *dirty, float *beam)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double d = hypot(i - n / 2, j - n / 2);
            beam[i * n + j] = cos(0.6 * d) / (1 + 0.25 * d * sqrt(d));
            dirty[i * n + j] = 0.01 * number(i * n + j);
        }
    for (int s = 0; s < SOURCES; s++) {
        int row = mix(2 * s) % n, column = mix(2 * s + 1) % n;
        float flux = 1 + 4 * number(s + 77);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int y = i - row + n / 2, x = j - column + n / 2;
                if (y >= 0 && y < n && x >= 0 && x < n)
                    dirty[i * n + j] += flux * beam[y * n + x];
            }
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SIDE >> (args.shift + 1) / 2, all = n * n;
    float *dirty = NEW(float, all), *beam = NEW(float, all), *residual = NEW(float, all), *model = NEW(float, all);
    double sum = 0;
    observe(n, dirty, beam);
#pragma acc enter data copyin(dirty[0:all], beam[0:all]) create(residual[0:all], model[0:all])
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    while (lap(&t))
        clean(n, dirty, beam, residual, model);
#else
    struct peak *rows = NEW(struct peak, n), best[1];
#pragma acc enter data create(rows[0:n], best[0:1])
    while (lap(&t))
        clean(n, (void *)dirty, (void *)beam, (void *)residual, (void *)model, rows, best);
#endif
#pragma acc update self(residual[0:all], model[0:all])
    for (int k = 0; k < all; k++)
        sum += fabs(residual[k]) + 100 * model[k] * (1 + k % 7);
    report("clean", t.best, sum);
    return 0;
}
