// Temperatures of a chip, float, 2048 × 2048: one step of a 5-point stencil whose edges look at themselves.
#include "../kernels.h"

enum { N = 2048 };

#if SPELLING == 1
static void step(int rows, int columns, const float *restrict t, const float *restrict power, float *restrict next)
{
    const float cap = 0.1f, rx = 0.2f, ry = 0.3f, rz = 0.05f, ambient = 80;
#pragma acc parallel loop collapse(2) present(t[0:rows * columns], power[0:rows * columns], next[0:rows * columns])
#pragma omp parallel for
    for (int r = 0; r < rows; r++)
#pragma omp simd
        for (int c = 0; c < columns; c++) {
            float here = t[r * columns + c];
            float north = r == 0 ? here : t[(r - 1) * columns + c];
            float south = r == rows - 1 ? here : t[(r + 1) * columns + c];
            float west = c == 0 ? here : t[r * columns + c - 1];
            float east = c == columns - 1 ? here : t[r * columns + c + 1];
            next[r * columns + c] = here + cap * (power[r * columns + c] + (south + north - 2 * here) * ry +
                                                  (east + west - 2 * here) * rx + (ambient - here) * rz);
        }
}
#elif SPELLING == 3
static void step(int row, int col, float *temp, float *power, float *result)
{
    const float Cap_1 = 0.1f, Rx_1 = 0.2f, Ry_1 = 0.3f, Rz_1 = 0.05f, amb_temp = 80.0f;
    float delta;
    int r, c;
#pragma acc parallel loop collapse(2) private(delta) present(temp[0:row * col], power[0:row * col], result[0:row * col])
    for (r = 0; r < row; r++) {
        for (c = 0; c < col; c++) {
            float t = temp[r * col + c];
            if ((r == 0) && (c == 0)) {
                delta = Cap_1 * (power[0] + (temp[1] - t) * Rx_1 + (temp[col] - t) * Ry_1 + (amb_temp - t) * Rz_1);
            } else if ((r == 0) && (c == col - 1)) {
                delta = Cap_1 * (power[c] + (temp[c - 1] - t) * Rx_1 + (temp[c + col] - t) * Ry_1 + (amb_temp - t) * Rz_1);
            } else if ((r == row - 1) && (c == col - 1)) {
                delta = Cap_1 * (power[r * col + c] + (temp[r * col + c - 1] - t) * Rx_1 + (temp[(r - 1) * col + c] - t) * Ry_1 + (amb_temp - t) * Rz_1);
            } else if ((r == row - 1) && (c == 0)) {
                delta = Cap_1 * (power[r * col] + (temp[r * col + 1] - t) * Rx_1 + (temp[(r - 1) * col] - t) * Ry_1 + (amb_temp - t) * Rz_1);
            } else if (r == 0) {
                delta = Cap_1 * (power[c] + (temp[c + 1] + temp[c - 1] - 2.0f * t) * Rx_1 + (temp[col + c] - t) * Ry_1 + (amb_temp - t) * Rz_1);
            } else if (c == col - 1) {
                delta = Cap_1 * (power[r * col + c] + (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.0f * t) * Ry_1 +
                                 (temp[r * col + c - 1] - t) * Rx_1 + (amb_temp - t) * Rz_1);
            } else if (r == row - 1) {
                delta = Cap_1 * (power[r * col + c] + (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.0f * t) * Rx_1 +
                                 (temp[(r - 1) * col + c] - t) * Ry_1 + (amb_temp - t) * Rz_1);
            } else if (c == 0) {
                delta = Cap_1 * (power[r * col] + (temp[(r + 1) * col] + temp[(r - 1) * col] - 2.0f * t) * Ry_1 + (temp[r * col + 1] - t) * Rx_1 +
                                 (amb_temp - t) * Rz_1);
            } else {
                delta = Cap_1 * (power[r * col + c] + (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.0f * t) * Ry_1 +
                                 (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.0f * t) * Rx_1 + (amb_temp - t) * Rz_1);
            }
            result[r * col + c] = t + delta;
        }
    }
}
#elif SPELLING == 4
#pragma acc routine seq
static inline int clamp_to(int k, int n) { return k < 0 ? 0 : k >= n ? n - 1 : k; }
static void step(int rows, int cols, const float *restrict pt, const float *restrict pp, float *restrict pn)
{
    const float(*t)[cols] = (const float(*)[cols])pt, (*power)[cols] = (const float(*)[cols])pp;
    float(*next)[cols] = (float(*)[cols])pn;
#pragma acc parallel loop gang present(t[0:rows], power[0:rows], next[0:rows]) vector_length(256)
    for (int i = 0; i < rows; i++) {
        int up = clamp_to(i - 1, rows), down = clamp_to(i + 1, rows);
#pragma acc loop vector
        for (int j = 0; j < cols; j++) {
            int left = clamp_to(j - 1, cols), right = clamp_to(j + 1, cols);
            float h = t[i][j];
            next[i][j] = h + 0.1f * (power[i][j] + (t[down][j] + t[up][j] - 2 * h) * 0.3f + (t[i][right] + t[i][left] - 2 * h) * 0.2f + (80 - h) * 0.05f);
        }
    }
}
#else
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct material {
    float cap, rx, ry, rz, ambient;
};

static void step(long rows, long columns, float *ft, float *fpower, float *fnext)
{
    struct material m = {0.1f, 0.2f, 0.3f, 0.05f, 80};
    float(*t)[columns] = (float(*)[columns])ft, (*power)[columns] = (float(*)[columns])fpower;
    float(*next)[columns] = (float(*)[columns])fnext;
#pragma acc parallel loop gang present(t[0:rows][0:columns], power[0:rows][0:columns], next[0:rows][0:columns])
#pragma omp parallel for
    for (long r = 0; r < rows; r++)
#pragma acc loop vector
#pragma omp simd
        for (long c = 0; c < columns; c++) {
            float ns = t[MAX(r - 1, 0)][c] + t[MIN(r + 1, rows - 1)][c];
            float ew = t[r][MAX(c - 1, 0)] + t[r][MIN(c + 1, columns - 1)];
            float delta = power[r][c] + (ns - 2.f * t[r][c]) * m.ry + (ew - 2.f * t[r][c]) * m.rx +
                          (m.ambient - t[r][c]) * m.rz;
            next[r][c] = t[r][c] + m.cap * delta;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = N >> args.shift, all = n * n;
    float *t = NEW(float, all), *power = NEW(float, all), *next = NEW(float, all);
    double sum = 0;
    FILL(t, all, 100);
    FILL(power, all, 1);
#pragma acc enter data copyin(t[0:all], power[0:all]) create(next[0:all])
    struct watch w = watch(args.repeats);
    while (lap(&w))
        step(n, n, t, power, next);
#pragma acc update self(next[0:all])
    SUM(sum, next, all);
    report("hotspot", w.best, sum);
    return 0;
}
