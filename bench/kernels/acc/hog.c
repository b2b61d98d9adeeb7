// Histograms of oriented gradients of a picture of 4096 x 4096 bytes (Dalal and Triggs), float: nine directions in cells of 8 x 8 points, each
// gradient shared by two of them, and blocks of 2 x 2 cells normalised, cut off and normalised again.
#include "../kernels.h"

enum { SIDE = 4096, CELL = 8, BINS = 9, CELLS = SIDE / CELL, LONG = 4 * BINS };

#define TOP 0.2f

#if SPELLING == 1
static void hog(int rows, const unsigned char *restrict image, float *restrict cell, float *restrict feature)
{
    const int high = rows / CELL;
#pragma acc data present(image[0:rows * SIDE], cell[0:high * CELLS * BINS]) \
    present(feature[0:(high - 1) * (CELLS - 1) * LONG])
    {
#pragma acc parallel loop gang vector collapse(2)
#pragma omp parallel for
        for (int cy = 0; cy < high; cy++)
            for (int cx = 0; cx < CELLS; cx++) {
                float h[BINS];
                for (int b = 0; b < BINS; b++)
                    h[b] = 0;
                for (int y = cy * CELL; y < cy * CELL + CELL; y++)
                    for (int x = cx * CELL; x < cx * CELL + CELL; x++) {
                        int left = x > 0 ? x - 1 : 0, right = x < SIDE - 1 ? x + 1 : x;
                        int up = y > 0 ? y - 1 : 0, down = y < rows - 1 ? y + 1 : y;
                        float gx = image[y * SIDE + right] - image[y * SIDE + left];
                        float gy = image[down * SIDE + x] - image[up * SIDE + x];
                        float size = sqrtf(gx * gx + gy * gy), angle = atan2f(gy, gx) * (BINS / (float)M_PI) - 0.5f;
                        int bin = (int)floorf(angle);
                        float part = angle - bin;
                        h[(bin + 2 * BINS) % BINS] += size * (1 - part);
                        h[(bin + 1 + 2 * BINS) % BINS] += size * part;
                    }
                for (int b = 0; b < BINS; b++)
                    cell[(cy * CELLS + cx) * BINS + b] = h[b];
            }
#pragma acc parallel loop gang vector collapse(2)
#pragma omp parallel for
        for (int y = 0; y < high - 1; y++)
            for (int x = 0; x < CELLS - 1; x++) {
                float v[LONG], norm = 1e-3f, again = 1e-6f;
                for (int k = 0; k < LONG; k++) {
                    v[k] = cell[((y + k / (2 * BINS)) * CELLS + x + k / BINS % 2) * BINS + k % BINS];
                    norm += v[k] * v[k];
                }
                norm = 1 / sqrtf(norm);
                for (int k = 0; k < LONG; k++) {
                    v[k] = fminf(v[k] * norm, TOP);
                    again += v[k] * v[k];
                }
                again = 1 / sqrtf(again);
                for (int k = 0; k < LONG; k++)
                    feature[(y * (CELLS - 1) + x) * LONG + k] = v[k] * again;
            }
    }
}
#else
typedef unsigned char line[SIDE];
typedef float histogram[BINS];
typedef float vector[2][2][BINS];

static void hog(size_t rows, line *image, float *sums, float *out)
{
    const size_t high = rows / CELL;
    histogram(*cell)[CELLS] = (histogram(*)[CELLS])sums;
    vector(*feature)[CELLS - 1] = (vector(*)[CELLS - 1])out;
#pragma acc data present(image[0:rows], cell[0:high], feature[0:high - 1])
    {
#pragma acc parallel loop collapse(3)
        for (size_t y = 0; y < high; ++y)
            for (size_t x = 0; x < CELLS; ++x)
                for (unsigned b = 0; b < BINS; ++b)
                    cell[y][x][b] = 0;
        // each point adds to its cell
#pragma acc parallel loop collapse(2) vector_length(256)
#pragma omp parallel for
        for (size_t y = 0; y < rows; ++y)
            for (size_t x = 0; x < SIDE; ++x) {
                const int gx = image[y][x + 1 < SIDE ? x + 1 : x] - image[y][x ? x - 1 : x];
                const int gy = image[y + 1 < rows ? y + 1 : y][x] - image[y ? y - 1 : y][x];
                if (gx || gy) {
                    const float size = hypotf(gx, gy);
                    float angle = atan2f(gy, gx) * (BINS / (float)M_PI) + (BINS - 0.5f);
                    const unsigned bin = angle < 0 ? 0 : (unsigned)angle;
                    const float part = angle < 0 ? angle + 1 : angle - bin;
                    float *const here = cell[y / CELL][x / CELL];
                    const unsigned one = angle < 0 ? BINS - 1 : bin % BINS, two = one + 1 == BINS ? 0 : one + 1;
#pragma acc atomic update
#pragma omp atomic
                    here[one] += size * (1 - part);
#pragma acc atomic update
#pragma omp atomic
                    here[two] += size * part;
                }
            }
#pragma acc parallel loop gang
#pragma omp parallel for
        for (size_t y = 0; y < high - 1; ++y)
#pragma acc loop worker
            for (size_t x = 0; x < CELLS - 1; ++x) {
                float norm = 0, again = 0;
#pragma acc loop vector collapse(3) reduction(+ : norm)
                for (unsigned p = 0; p < 2; ++p)
                    for (unsigned q = 0; q < 2; ++q)
                        for (unsigned b = 0; b < BINS; ++b)
                            norm += cell[y + p][x + q][b] * cell[y + p][x + q][b];
                norm = sqrtf(norm + 1e-3f);
#pragma acc loop vector collapse(3) reduction(+ : again)
                for (unsigned p = 0; p < 2; ++p)
                    for (unsigned q = 0; q < 2; ++q)
                        for (unsigned b = 0; b < BINS; ++b) {
                            float v = cell[y + p][x + q][b] / norm;
                            again += v > TOP ? TOP * TOP : v * v;
                        }
                again = sqrtf(again + 1e-6f);
#pragma acc loop vector collapse(3)
                for (unsigned p = 0; p < 2; ++p)
                    for (unsigned q = 0; q < 2; ++q)
                        for (unsigned b = 0; b < BINS; ++b)
                            feature[y][x][p][q][b] = fminf(cell[y + p][x + q][b] / norm, TOP) / again;
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = SIDE >> args.shift, n = rows * SIDE, cells = n / (CELL * CELL) * BINS;
    int features = (rows / CELL - 1) * (CELLS - 1) * LONG;
    unsigned char(*image)[SIDE] = (unsigned char(*)[SIDE])NEW(unsigned char, n);
    float *cell = NEW(float, cells), *feature = NEW(float, features);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        int x = k % SIDE, y = k / SIDE;
        image[y][x] = (unsigned char)(110 + 60 * sin(0.001 * x * (1 + y % 512 * 0.01)) + 50 * cos(0.05 * y + 0.02 * x) + mix(k) % 20);
    }
#pragma acc enter data copyin(image[0:rows]) create(cell[0:cells], feature[0:features])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1
        hog(rows, image[0], cell, feature);
#else
        hog(rows, image, cell, feature);
#endif
#pragma acc update self(feature[0:features])
    for (int k = 0; k < features; k++)
        sum += feature[k] * (1 + k % LONG);
    report("hog", t.best, sum);
    return 0;
}
