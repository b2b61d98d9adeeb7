// Attention of the newest token of 64 sequences to the 256 to 1279 before it, float: 32 heads of 64 numbers, of which
// four share a head of keys and values; these lie in pages of 16 tokens that a table of each sequence names.
#include "../kernels.h"

enum { SEQUENCES = 64, SHARED = 8, GROUP = 4, HEADS = SHARED * GROUP, DIM = 64, PAGE = 16, LONGEST = 1280 };
enum { ENTRIES = LONGEST / PAGE };

#if SPELLING == 1
static void attend(int n, int pages, const float *restrict query, const float *restrict keys,
                   const float *restrict values, const int *restrict table, const int *restrict length,
                   float *restrict out)
{
#pragma acc parallel loop gang collapse(2) vector_length(128) present(table[0:n * ENTRIES], length[0:n]) \
    present(keys[0:pages * SHARED * PAGE * DIM], values[0:pages * SHARED * PAGE * DIM]) \
    present(query[0:n * HEADS * DIM], out[0:n * HEADS * DIM])
#pragma omp parallel for collapse(2)
    for (int s = 0; s < n; s++)
        for (int h = 0; h < HEADS; h++) {
            float score[LONGEST], most = -1e30f, total = 0;
            int tokens = length[s];
#pragma acc loop vector reduction(max : most)
            for (int t = 0; t < tokens; t++) {
                int at = ((table[s * ENTRIES + t / PAGE] * SHARED + h / GROUP) * PAGE + t % PAGE) * DIM;
                float dot = 0;
                for (int d = 0; d < DIM; d++)
                    dot += query[(s * HEADS + h) * DIM + d] * keys[at + d];
                score[t] = dot * 0.125f;
                most = fmaxf(most, score[t]);
            }
#pragma acc loop vector reduction(+ : total)
            for (int t = 0; t < tokens; t++) {
                score[t] = expf(score[t] - most);
                total += score[t];
            }
#pragma acc loop vector
            for (int d = 0; d < DIM; d++) {
                float sum = 0;
                for (int t = 0; t < tokens; t++) {
                    int at = ((table[s * ENTRIES + t / PAGE] * SHARED + h / GROUP) * PAGE + t % PAGE) * DIM;
                    sum += score[t] * values[at + d];
                }
                out[(s * HEADS + h) * DIM + d] = sum / total;
            }
        }
}
#else
typedef float page[SHARED][PAGE][DIM];

static inline float dot(const float *a, const float *b)
{
    float sum = 0;
    const float *end = a + DIM;
    while (a < end)
        sum += *a++ * *b++;
    return sum;
}

static void attend(size_t n, size_t pages, float *query, float *keys, float *values, int *table, int *length,
                   float *out)
{
    page *k = (page *)keys, *v = (page *)values;
    float score[LONGEST];
#pragma acc parallel num_gangs(n * HEADS) vector_length(64) private(score) present(k[0:pages], v[0:pages]) \
    present(query[0:n * HEADS * DIM], out[0:n * HEADS * DIM], table[0:n * ENTRIES], length[0:n])
#pragma acc loop gang
#pragma omp parallel for private(score)
    for (size_t row = 0; row < n * HEADS; ++row) {
        const size_t s = row / HEADS, kv = row % HEADS / GROUP, tokens = length[s];
        const float *q = &query[row * DIM];
        const int *entry = &table[s * ENTRIES];
        float most = -1e30f, total = 0;
#pragma acc loop vector reduction(max : most)
        for (size_t t = 0; t < tokens; ++t) {
            score[t] = 0.125f * dot(q, k[entry[t / PAGE]][kv][t % PAGE]);
            most = score[t] > most ? score[t] : most;
        }
#pragma acc loop vector reduction(+ : total)
        for (size_t t = 0; t < tokens; ++t)
            total += score[t] = expf(score[t] - most);
#pragma acc loop vector
        for (size_t d = 0; d < DIM; ++d) {
            float sum = 0;
            size_t t = 0;
            for (size_t p = 0; p * PAGE < tokens; ++p) {
                float(*block)[DIM] = v[entry[p]][kv];
                for (size_t i = 0; i < PAGE && t < tokens; ++i, ++t)
                    sum += score[t] * block[i][d];
            }
            out[row * DIM + d] = sum / total;
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = SEQUENCES >> args.shift, pages = 0, *table = calloc(n * ENTRIES, sizeof(int)), *length = NEW(int, n);
    for (int s = 0; s < n; s++) {
        length[s] = 256 + mix(s) % 1024;
        for (int p = 0; p * PAGE < length[s]; p++)
            table[s * ENTRIES + p] = pages++;
    }
    // pages lie in any order
    for (int s = 0; s < n; s++)
        for (int p = 0; p * PAGE < length[s]; p++) {
            int other = mix(s * ENTRIES + p) % n,
                with = mix(7 * (s * ENTRIES + p)) % ((length[other] + PAGE - 1) / PAGE);
            int swap = table[s * ENTRIES + p];
            table[s * ENTRIES + p] = table[other * ENTRIES + with];
            table[other * ENTRIES + with] = swap;
        }
    int all = pages * SHARED * PAGE * DIM, rows = n * HEADS * DIM;
    float *query = NEW(float, rows), *keys = NEW(float, all), *values = NEW(float, all), *out = NEW(float, rows);
    double sum = 0;
    for (int k = 0; k < rows; k++)
        query[k] = number(k + 5) - 0.5;
    for (int k = 0; k < all; k++) {
        keys[k] = number(2 * k) - 0.5;
        values[k] = number(2 * k + 1) - 0.25;
    }
#pragma acc enter data copyin(query[0:rows], keys[0:all], values[0:all], table[0:n * ENTRIES], length[0:n]) \
    create(out[0:rows])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        attend(n, pages, query, keys, values, table, length, out);
#pragma acc update self(out[0:rows])
    for (int k = 0; k < rows; k++)
        sum += fabsf(out[k]);
    report("paged", t.best, sum);
    return 0;
}
