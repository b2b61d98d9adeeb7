// Gridding of 2^17 visibilities of a radio interferometer, float complex: each is spread onto 8 x 8 points of a grid of
// 1024 x 1024 by an oversampled separable kernel, atomically. Samples of a baseline follow an arc.
#include "../kernels.h"

enum { SAMPLES = 1 << 17, TIMES = 256, SIDE = 1024, SUPPORT = 8, OVER = 16 };

#if SPELLING == 1
static void grid_them(int n, const float *restrict u, const float *restrict v, const float *restrict vis,
                      const float *restrict taper, float *restrict grid)
{
#pragma acc parallel loop present(grid[0:2 * SIDE * SIDE])
#pragma omp parallel for simd
    for (int k = 0; k < 2 * SIDE * SIDE; k++)
        grid[k] = 0;
#pragma acc parallel loop present(u[0:n], v[0:n], vis[0:2 * n], taper[0:OVER * SUPPORT], grid[0:2 * SIDE * SIDE])
#pragma omp parallel for
    for (int s = 0; s < n; s++) {
        int iu = (int)floorf(u[s]), iv = (int)floorf(v[s]);
        int fu = (int)((u[s] - iu) * OVER), fv = (int)((v[s] - iv) * OVER);
        float re = vis[2 * s], im = vis[2 * s + 1];
        for (int y = 0; y < SUPPORT; y++)
            for (int x = 0; x < SUPPORT; x++) {
                float w = taper[fv * SUPPORT + y] * taper[fu * SUPPORT + x];
                int at = 2 * ((iv - SUPPORT / 2 + 1 + y) * SIDE + iu - SUPPORT / 2 + 1 + x);
#pragma acc atomic update
#pragma omp atomic
                grid[at] += w * re;
#pragma acc atomic update
#pragma omp atomic
                grid[at + 1] += w * im;
            }
    }
}
#else
struct complex_float { float re, im; };
typedef struct complex_float complex_t;

#define ROW(f) (taper + (size_t)((f) * OVER) * SUPPORT)

static void grid_them(size_t n, float *u, float *v, float *data, float *taper, float *image)
{
    complex_t *vis = (complex_t *)data, (*grid)[SIDE] = (complex_t(*)[SIDE])image;
#pragma acc parallel loop collapse(2) present(grid[0:SIDE])
#pragma omp parallel for
    for (size_t y = 0; y < SIDE; ++y)
        for (size_t x = 0; x < SIDE; ++x) {
            grid[y][x].re = 0;
            grid[y][x].im = 0;
        }
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) present(u[0:n], v[0:n], vis[0:n]) \
    present(taper[0:OVER * SUPPORT], grid[0:SIDE])
#pragma omp parallel for
    for (size_t s = 0; s < n; ++s) {
        const float fu = floorf(u[s]), fv = floorf(v[s]);
        const float *cu = ROW(u[s] - fu), *cv = ROW(v[s] - fv);
        const long left = (long)fu - SUPPORT / 2 + 1, top = (long)fv - SUPPORT / 2 + 1;
        const complex_t value = vis[s];
#pragma acc loop vector collapse(2)
        for (int y = 0; y < SUPPORT; ++y)
            for (int x = 0; x < SUPPORT; ++x) {
                const float w = cv[y] * cu[x];
                complex_t *point = &grid[top + y][left + x];
#pragma acc atomic
#pragma omp atomic
                point->re += w * value.re;
#pragma acc atomic
#pragma omp atomic
                point->im += w * value.im;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SAMPLES >> args.shift, points = 2 * SIDE * SIDE;
    float *u = NEW(float, n), *v = NEW(float, n), *vis = NEW(float, 2 * n), *taper = NEW(float, OVER * SUPPORT);
    float *grid = NEW(float, points);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int baseline = k / TIMES;
        double r = 480 * number(3 * baseline) * number(3 * baseline + 1);
        double angle = 6.28 * number(3 * baseline + 2) + k % TIMES * 0.006;
        u[k] = (float)(SIDE / 2 + r * cos(angle));
        v[k] = (float)(SIDE / 2 + 0.8 * r * sin(angle));
    }
    for (int k = 0; k < 2 * n; k++)
        vis[k] = number(k) - 0.25;
    for (int f = 0; f < OVER; f++)
        for (int k = 0; k < SUPPORT; k++) {
            double d = (k - SUPPORT / 2 + 1 - (f + 0.5) / OVER) / (SUPPORT / 2);
            taper[f * SUPPORT + k] = (float)exp(-4 * d * d);
        }
#pragma acc enter data copyin(u[0:n], v[0:n], vis[0:2 * n], taper[0:OVER * SUPPORT]) create(grid[0:points])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        grid_them(n, u, v, vis, taper, grid);
#pragma acc update self(grid[0:points])
    for (int k = 0; k < points; k++)
        sum += fabsf(grid[k]);
    report("gridding", t.best, sum);
    return 0;
}
