// 2048 fingerprints of 1024 bits against 4096 others: the largest share of common bits of each, and how many pairs share more than a third.
#include "../kernels.h"

enum { QUERIES = 2048, OTHERS = 4096, WORDS = 16 };
typedef unsigned long long bits;

#if SPELLING == 1
static int similar(int n, int m, const bits *restrict a, const bits *restrict b, float *restrict best)
{
    int found = 0;
#pragma acc parallel loop gang present(a[0:n * WORDS], b[0:m * WORDS], best[0:n]) reduction(+ : found)
#pragma omp parallel for reduction(+ : found)
    for (int i = 0; i < n; i++) {
        float most = 0;
#pragma acc loop vector reduction(max : most) reduction(+ : found)
        for (int j = 0; j < m; j++) {
            int both = 0, either = 0;
            for (int k = 0; k < WORDS; k++) {
                both += __builtin_popcountll(a[i * WORDS + k] & b[j * WORDS + k]);
                either += __builtin_popcountll(a[i * WORDS + k] | b[j * WORDS + k]);
            }
            float share = (float)both / either;
            most = fmaxf(most, share);
            found += share > 1.0f / 3;
        }
        best[i] = most;
    }
    return found;
}
#else
typedef struct { bits word[WORDS]; } print;

static unsigned common(const print *x, const print *y)
{
    unsigned count = 0;
    for (size_t k = 0; k < WORDS; ++k)
        count += __builtin_popcountll(x->word[k] & y->word[k]);
    return count;
}

static unsigned set(const print *x)
{
    unsigned count = 0;
    for (const bits *w = x->word; w < x->word + WORDS; ++w)
        count += __builtin_popcountll(*w);
    return count;
}

static long similar(size_t n, size_t m, bits *from, bits *to, float *best)
{
    print *a = (print *)from, *b = (print *)to;
    long found = 0;
#pragma acc parallel loop gang present(a[0:n], b[0:m], best[0:n]) reduction(+ : found)
#pragma omp parallel for reduction(+ : found)
    for (size_t i = 0; i < n; ++i) {
        float most = 0;
        const unsigned mine = set(&a[i]);
#pragma acc loop vector reduction(max : most) reduction(+ : found)
        for (size_t j = 0; j < m; ++j) {
            unsigned both = common(a + i, b + j), either = mine + set(b + j) - both;
            float share = both / (float)either;
            if (share > most)
                most = share;
            if (share > 1.0f / 3)
                ++found;
        }
        best[i] = most;
    }
    return found;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = QUERIES >> args.shift, m = OTHERS;
    bits *a = NEW(bits, n *WORDS), *b = NEW(bits, m *WORDS);
    float *best = NEW(float, n);
    double sum = 0;
    long found = 0;
    for (int k = 0; k < n * WORDS; k++)
        a[k] = ((bits)mix(k) << 32 | mix(3 * k + 1)) & mix(k + 7) * 0x100000001ull;
    for (int k = 0; k < m * WORDS; k++)
        b[k] = ((bits)mix(5 * k + 2) << 32 | mix(7 * k + 3)) | mix(k / 3) * 0x100000001ull;
#pragma acc enter data copyin(a[0:n * WORDS], b[0:m * WORDS]) create(best[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        found = similar(n, m, a, b, best);
#pragma acc update self(best[0:n])
    SUM(sum, best, n);
    report("similar", t.best, sum + found);
    return 0;
}
