// Bags of a recommendation model: for each of 2^14 bags the weighted mean of 1 to 63 rows of a table of 2^18 rows of 64 floats, indices of all
// bags in one array with offsets.
#include "../kernels.h"

enum { BAGS = 1 << 14, TABLE = 1 << 18, WIDTH = 64 };

#if SPELLING == 1
static void bags(int n, int rows, int total, const int *restrict offset, const int *restrict index, const float *restrict weight,
                 const float *restrict table, float *restrict out)
{
#pragma acc parallel loop gang vector_length(64) present(offset[0:n + 1], index[0:total], weight[0:total], table[0:rows * WIDTH], out[0:n * WIDTH])
#pragma omp parallel for
    for (int b = 0; b < n; b++) {
        int first = offset[b], last = offset[b + 1];
#pragma acc loop vector
#pragma omp simd
        for (int c = 0; c < WIDTH; c++) {
            float sum = 0, all = 0;
            for (int k = first; k < last; k++) {
                sum += weight[k] * table[index[k] * WIDTH + c];
                all += weight[k];
            }
            out[b * WIDTH + c] = sum / all;
        }
    }
}
#else
typedef float row[WIDTH];

struct batch {
    unsigned *offset, *index;
    float *weight;
};

static void bags(unsigned n, size_t rows, size_t total, struct batch in, row *table, row *out)
{
    unsigned *offset = in.offset, *index = in.index;
    float *weight = in.weight;
#pragma acc data present(offset[0:n + 1], index[0:total], weight[0:total], table[0:rows], out[0:n])
#pragma acc parallel loop collapse(2)
#pragma omp parallel for collapse(2)
    for (unsigned b = 0; b < n; ++b)
        for (unsigned c = 0; c < WIDTH; ++c) {
            const unsigned *at = index + offset[b], *end = index + offset[b + 1];
            const float *w = weight + offset[b];
            float sum = 0.0f, all = 0.0f;
            while (at != end) {
                sum += *w * table[*at++][c];
                all += *w++;
            }
            out[b][c] = sum / all;
        }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BAGS >> args.shift, rows = TABLE >> args.shift, total = 0, *offset = NEW(int, n + 1);
    for (int b = 0; b < n; b++) {
        offset[b] = total;
        total += 1 + mix(b) % 63;
    }
    offset[n] = total;
    int *index = NEW(int, total);
    float *weight = NEW(float, total), *table = NEW(float, rows *WIDTH), *out = NEW(float, n *WIDTH);
    double sum = 0;
    for (int k = 0; k < total; k++) {
        index[k] = mix(k + 12345) % rows;
        weight[k] = 0.5f + number(k);
    }
    FILL(table, rows * WIDTH, 1);
#pragma acc enter data copyin(offset[0:n + 1], index[0:total], weight[0:total], table[0:rows * WIDTH]) create(out[0:n * WIDTH])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        bags(n, rows, total, offset, index, weight, table, out);
#else
        bags(n, rows, total, (struct batch){(unsigned *)offset, (unsigned *)index, weight}, (row *)table, (row *)out);
#endif
    }
#pragma acc update self(out[0:n * WIDTH])
    for (int k = 0; k < n * WIDTH; k++)
        sum += out[k] * (1 + k % 5);
    report("embedding", t.best, sum);
    return 0;
}
