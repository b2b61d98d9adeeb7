// A sampled product of dense matrices, as attention on a graph or a factorisation of ratings has it: for each of about 2^19 entries of a
// sparse matrix of 2^15 rows, its value times the product of a row of 64 floats of A and one of B; and the sum of squares of the results.
#include "../kernels.h"

enum { ROWS = 1 << 15, DEPTH = 64 };

#if SPELLING == 1
static double sampled(int n, int entries, const int *restrict first, const int *restrict column, const float *restrict value,
                      const float *restrict a, const float *restrict b, float *restrict out)
{
    double squares = 0;
#pragma acc data present(first[0:n + 1], column[0:entries], value[0:entries], a[0:n * DEPTH], b[0:n * DEPTH], out[0:entries])
    {
#pragma acc parallel loop gang worker num_workers(4) vector_length(32) reduction(+ : squares)
#pragma omp parallel for reduction(+ : squares)
        for (int i = 0; i < n; i++)
            for (int e = first[i]; e < first[i + 1]; e++) {
                int j = column[e];
                float dot = 0;
#pragma acc loop vector reduction(+ : dot)
#pragma omp simd reduction(+ : dot)
                for (int k = 0; k < DEPTH; k++)
                    dot += a[i * DEPTH + k] * b[j * DEPTH + k];
                out[e] = value[e] * dot;
                squares += out[e] * out[e];
            }
    }
    return squares;
}
#else
typedef struct { float x, y, z, w; } four;
typedef struct { four part[DEPTH / 4]; } feature;

static inline float inner(four p, four q) { return p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w; }

#pragma acc routine seq
static float product(const feature *u, const feature *v)
{
    float sum = 0;
    for (size_t k = 0; k < DEPTH / 4; ++k)
        sum += inner(u->part[k], v->part[k]);
    return sum;
}

static double sampled(size_t n, size_t entries, int *first, int *column, float *value, float *left, float *right, float *out)
{
    const feature *a = (const feature *)left, *b = (const feature *)right;
    double squares = 0.0;
#pragma acc parallel loop gang vector_length(32) present(first[0:n + 1], column[0:entries], value[0:entries], a[0:n], b[0:n], out[0:entries]) \
    reduction(+ : squares)
#pragma omp parallel for reduction(+ : squares)
    for (size_t i = 0; i < n; ++i) {
        double mine = 0.0;
#pragma acc loop vector reduction(+ : mine)
        for (size_t e = (size_t)first[i]; e < (size_t)first[i + 1]; ++e) {
            const float r = value[e] * product(&a[i], &b[column[e]]);
            out[e] = r;
            mine += (double)(r * r);
        }
        squares += mine;
    }
    return squares;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = ROWS >> args.shift, entries = 0, *first = NEW(int, n + 1);
    for (int i = 0; i < n; i++) {
        first[i] = entries;
        entries += 1 + mix(i + 3) % 31;
    }
    first[n] = entries;
    int *column = NEW(int, entries);
    float *value = NEW(float, entries), *a = NEW(float, n *DEPTH), *b = NEW(float, n *DEPTH), *out = NEW(float, entries);
    double sum = 0, squares = 0;
    for (int e = 0; e < entries; e++)
        column[e] = mix(e + 99) % n;
    FILL(value, entries, 1);
    FILL(a, n * DEPTH, 1);
    for (int k = 0; k < n * DEPTH; k++)
        b[k] = number(k + 4321) - 0.25;
#pragma acc enter data copyin(first[0:n + 1], column[0:entries], value[0:entries], a[0:n * DEPTH], b[0:n * DEPTH]) create(out[0:entries])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        squares = sampled(n, entries, first, column, value, a, b, out);
#pragma acc update self(out[0:entries])
    for (int e = 0; e < entries; e++)
        sum += out[e] * (1 + e % 3);
    report("sampled", t.best, sum + squares);
    return 0;
}
