// A join of two tables by a hash: chains of the 2^20 rows of the smaller one are built with atomic exchanges of their heads, then each of 2^22
// rows of the larger one walks its chain, adds up the prices of all rows with its key and counts them.
#include "../kernels.h"

enum { BUILD = 1 << 20, PROBE = 1 << 22 };

#if SPELLING == 1
static inline unsigned hash(unsigned key, int bits) { return key * 2654435769u >> (32 - bits); }

static long join(int n, int m, int bits, const unsigned *restrict keys, const int *restrict prices, const unsigned *restrict wanted,
                 const int *restrict amount, int *restrict head, int *restrict next, int *restrict result)
{
    int slots = 1 << bits;
    long pairs = 0;
#pragma acc parallel loop present(head[0:slots])
#pragma omp parallel for simd
    for (int k = 0; k < slots; k++)
        head[k] = -1;
#pragma acc parallel loop present(keys[0:n], head[0:slots], next[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int slot = hash(keys[i], bits), before;
#pragma acc atomic capture
#pragma omp atomic capture
        {
            before = head[slot];
            head[slot] = i;
        }
        next[i] = before;
    }
#pragma acc parallel loop reduction(+ : pairs)                                                       \
    present(keys[0:n], prices[0:n], head[0:slots], next[0:n], wanted[0:m], amount[0:m], result[0:m])
#pragma omp parallel for reduction(+ : pairs)
    for (int j = 0; j < m; j++) {
        unsigned key = wanted[j];
        int sum = 0;
        for (int i = head[hash(key, bits)]; i >= 0; i = next[i])
            if (keys[i] == key) {
                sum += prices[i];
                pairs++;
            }
        result[j] = sum * amount[j];
    }
    return pairs;
}
#else
typedef struct { unsigned key; int value; } row;
typedef struct { row data; int next; } entry;

#define EMPTY -1
#define SLOT(key) ((unsigned)((key) * 2654435769u) >> shift)

static void build(size_t n, unsigned shift, const row *rows, int *head, entry *entries)
{
    const size_t slots = (size_t)1 << (32 - shift);
#pragma acc kernels present(head[0:slots])
#pragma acc loop independent
#pragma omp parallel for
    for (size_t k = 0; k < slots; ++k)
        head[k] = EMPTY;
#pragma acc parallel loop gang vector present(rows[0:n], head[0:slots], entries[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        entry *e = &entries[i];
        const unsigned slot = SLOT(rows[i].key);
        int old;
#pragma acc atomic capture
#pragma omp atomic capture
        { old = head[slot]; head[slot] = (int)i; }
        e->data = rows[i];
        e->next = old;
    }
}

static size_t probe(size_t m, size_t n, unsigned shift, const row *rows, const int *head, const entry *entries, int *result)
{
    size_t pairs = 0, slots = (size_t)1 << (32 - shift);
#pragma acc parallel loop gang vector reduction(+ : pairs) present(rows[0:m], head[0:slots], entries[0:n], result[0:m])
#pragma omp parallel for reduction(+ : pairs)
    for (size_t j = 0; j < m; ++j) {
        const row want = rows[j];
        int sum = 0, at = head[SLOT(want.key)];
        while (at != EMPTY) {
            const entry *e = entries + at;
            if (e->data.key == want.key) {
                sum += e->data.value;
                ++pairs;
            }
            at = e->next;
        }
        result[j] = sum * want.value;
    }
    return pairs;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BUILD >> args.shift, m = PROBE >> args.shift, bits = 20 - args.shift;
    unsigned *keys = NEW(unsigned, n), *wanted = NEW(unsigned, m);
    int *prices = NEW(int, n), *amount = NEW(int, m), *head = NEW(int, 1 << bits), *result = NEW(int, m);
    double sum = 0;
    long pairs = 0;
    for (int i = 0; i < n; i++) {
        keys[i] = mix(mix(i) % (2 * n) + 7);
        prices[i] = 1 + mix(i + 3) % 1000;
    }
    for (int j = 0; j < m; j++) {
        wanted[j] = mix(mix(j + n) % (2 * n) + 7);
        amount[j] = 1 + mix(j + 5) % 9;
    }
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *next = NEW(int, n);
#pragma acc enter data copyin(keys[0:n], prices[0:n], wanted[0:m], amount[0:m]) create(head[0:1 << bits], next[0:n], result[0:m])
    while (lap(&t))
        pairs = join(n, m, bits, keys, prices, wanted, amount, head, next, result);
#else
    row *small = NEW(row, n), *large = NEW(row, m);
    entry *entries = NEW(entry, n);
    for (int i = 0; i < n; i++)
        small[i] = (row){keys[i], prices[i]};
    for (int j = 0; j < m; j++)
        large[j] = (row){wanted[j], amount[j]};
#pragma acc enter data copyin(small[0:n], large[0:m]) create(head[0:1 << bits], entries[0:n], result[0:m])
    while (lap(&t)) {
        build(n, 32 - bits, small, head, entries);
        pairs = probe(m, n, 32 - bits, large, head, entries, result);
    }
#endif
#pragma acc update self(result[0:m])
    SUM(sum, result, m);
    report("join", t.best, sum + pairs);
    return 0;
}
