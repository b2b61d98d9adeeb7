// The nearest of 2048 fingerprints of 1024 bits to each of 4096 others by Hamming distance, and how far it is.
#include "../kernels.h"

enum { QUERIES = 4096, REFERENCES = 2048, WORDS = 32 };

#if SPELLING == 1
static void nearest(int n, int m, const unsigned *restrict query, const unsigned *restrict reference, int *restrict at, int *restrict distance)
{
#pragma acc parallel loop present(query[0:n * WORDS], reference[0:m * WORDS], at[0:n], distance[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int best = 32 * WORDS + 1, place = -1;
        for (int j = 0; j < m; j++) {
            int bits = 0;
            for (int w = 0; w < WORDS; w++)
                bits += __builtin_popcount(query[i * WORDS + w] ^ reference[j * WORDS + w]);
            if (bits < best) {
                best = bits;
                place = j;
            }
        }
        at[i] = place;
        distance[i] = best;
    }
}
#else
typedef struct { unsigned long long part[WORDS / 2]; } print;

static int apart(const print *a, const print *b)
{
    int bits = 0;
    for (size_t w = 0; w < WORDS / 2; ++w)
        bits += __builtin_popcountll(a->part[w] ^ b->part[w]);
    return bits;
}

static void nearest(size_t n, size_t m, const print *query, const print *reference, int *at, int *distance)
{
#pragma acc parallel loop gang vector vector_length(64) present(query[0:n], reference[0:m], at[0:n], distance[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        print mine = query[i];
        at[i] = 0;
        distance[i] = apart(&mine, reference);
        for (size_t j = 1; j < m; ++j) {
            int bits = apart(&mine, &reference[j]);
            if (bits < distance[i]) {
                distance[i] = bits;
                at[i] = (int)j;
            }
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = QUERIES >> args.shift, m = REFERENCES >> args.shift, *at = NEW(int, n), *distance = NEW(int, n);
    unsigned *query = NEW(unsigned, n *WORDS), *reference = NEW(unsigned, m *WORDS);
    double sum = 0;
    for (int k = 0; k < n * WORDS; k++)
        query[k] = mix(k);
    for (int k = 0; k < m * WORDS; k++)
        reference[k] = mix(k + 77) & mix(k / WORDS);
#pragma acc enter data copyin(query[0:n * WORDS], reference[0:m * WORDS]) create(at[0:n], distance[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        nearest(n, m, query, reference, at, distance);
#else
        nearest(n, m, (print *)query, (print *)reference, at, distance);
#endif
    }
#pragma acc update self(at[0:n], distance[0:n])
    for (int i = 0; i < n; i++)
        sum += at[i] + 3.0 * distance[i];
    report("hamming", t.best, sum);
    return 0;
}
