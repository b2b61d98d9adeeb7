// A matrix of 16384 x 16384 floats of which only some blocks of 16 x 16 are there, 8 to 39 in each of 1024 rows of blocks, times a dense matrix
// of 256 columns.
#include "../kernels.h"

enum { ROWS = 1024, BLOCK = 16, COLUMNS = 256 };

#if SPELLING == 1
static void multiply(int rows, int blocks, const int *restrict start, const int *restrict place, const float *restrict values,
                     const float *restrict b, float *restrict c)
{
    int all = rows * BLOCK * COLUMNS;
#pragma acc parallel loop gang present(start[0:rows + 1], place[0:blocks], values[0:blocks * BLOCK * BLOCK], b[0:all], c[0:all])
#pragma omp parallel for schedule(dynamic, 4)
    for (int row = 0; row < rows; row++) {
#pragma acc loop vector
        for (int j = 0; j < COLUMNS; j++) {
            float sum[BLOCK];
            for (int r = 0; r < BLOCK; r++)
                sum[r] = 0;
            for (int k = start[row]; k < start[row + 1]; k++)
                for (int s = 0; s < BLOCK; s++) {
                    float x = b[(place[k] * BLOCK + s) * COLUMNS + j];
                    for (int r = 0; r < BLOCK; r++)
                        sum[r] += values[(k * BLOCK + r) * BLOCK + s] * x;
                }
            for (int r = 0; r < BLOCK; r++)
                c[(row * BLOCK + r) * COLUMNS + j] = sum[r];
        }
    }
}
#else
typedef float block[BLOCK][BLOCK];
typedef float panel[BLOCK][COLUMNS];

struct bsr {
    size_t rows, blocks;
    unsigned *start, *place;
    block *values;
};

static void multiply(const struct bsr *a, panel *b, panel *c)
{
    size_t rows = a->rows, blocks = a->blocks;
    unsigned *start = a->start, *place = a->place;
    block *values = a->values;
#pragma acc kernels present(start[0:rows + 1], place[0:blocks], values[0:blocks], b[0:rows], c[0:rows])
    {
#pragma acc loop independent collapse(2)
#pragma omp parallel for schedule(dynamic, 4)
        for (size_t row = 0; row < rows; ++row)
            for (size_t j = 0; j < COLUMNS; ++j) {
                float sum[BLOCK] = {0};
                for (unsigned k = start[row]; k != start[row + 1]; ++k) {
                    const float(*v)[BLOCK] = (const float(*)[BLOCK])values[k];
                    const float(*x)[COLUMNS] = (const float(*)[COLUMNS])b[place[k]];
                    for (size_t s = 0; s < BLOCK; ++s)
                        for (size_t r = 0; r < BLOCK; ++r)
                            sum[r] += v[r][s] * x[s][j];
                }
                for (size_t r = 0; r < BLOCK; ++r)
                    c[row][r][j] = sum[r];
            }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int rows = ROWS >> args.shift, all = rows * BLOCK * COLUMNS, *start = NEW(int, rows + 1), blocks;
    start[0] = 0;
    for (int row = 0; row < rows; row++)
        start[row + 1] = start[row] + 8 + mix(row) % 32;
    blocks = start[rows];
    int *place = NEW(int, blocks);
    float *values = NEW(float, blocks * BLOCK * BLOCK), *b = NEW(float, all), *c = NEW(float, all);
    double sum = 0;
    for (int row = 0; row < rows; row++)
        for (int k = start[row]; k < start[row + 1]; k++) {
            int many = start[row + 1] - start[row], at = k - start[row];
            place[k] = (at * rows + mix(k) % rows) / many;
        }
    for (int k = 0; k < blocks * BLOCK * BLOCK; k++)
        values[k] = number(k) - 0.4;
    FILL(b, all, 1);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(start[0:rows + 1], place[0:blocks], values[0:blocks * BLOCK * BLOCK], b[0:all]) create(c[0:all])
    while (lap(&t))
        multiply(rows, blocks, start, place, values, b, c);
#pragma acc update self(c[0:all])
#else
    struct bsr a = {rows, blocks, (unsigned *)start, (unsigned *)place, (block *)values};
    panel *in = (panel *)b, *out = (panel *)c;
#pragma acc enter data copyin(a.start[0:rows + 1], a.place[0:blocks], a.values[0:blocks], in[0:rows]) create(out[0:rows])
    while (lap(&t))
        multiply(&a, in, out);
#pragma acc update self(out[0:rows])
#endif
    for (int k = 0; k < all; k++)
        sum += fabsf(c[k]);
    report("bsr", t.best, sum);
    return 0;
}
