// A table of 2^21 places for 2^20 keys by cuckoo hashing with three functions: a key that finds its place taken takes
// it and drives the other on to that one's next place. Then 2^22 look-ups, of which half find something: their number
// and the sum of the values.
#include "../kernels.h"

enum { KEYS = 1 << 20, TRIES = 500 };

typedef unsigned long long entry;
#define EMPTY 0xffffffffffffffffull

#if SPELLING == 1
#pragma acc routine seq
static inline unsigned place(unsigned key, int function, unsigned mask)
{
    unsigned h = key * (function == 0 ? 0x9e3779b1u : function == 1 ? 0x85ebca77u : 0xc2b2ae3du);
    h ^= h >> 15;
    h *= 0x27d4eb2fu;
    return (h ^ h >> 13) & mask;
}

static int build(int n, int places, const unsigned *restrict keys, entry *restrict table)
{
    int lost = 0;
    unsigned mask = places - 1;
#pragma acc parallel loop present(table[0:places])
#pragma omp parallel for
    for (int i = 0; i < places; i++)
        table[i] = EMPTY;
#pragma acc parallel loop present(keys[0:n], table[0:places]) reduction(+ : lost)
    for (int i = 0; i < n; i++) {
        entry mine = (entry)keys[i] << 32 | (unsigned)i, other;
        unsigned at = place(keys[i], 0, mask);
        int tries = 0;
        while (mine != EMPTY && tries < TRIES) {
#pragma acc atomic capture
            {
                other = table[at];
                table[at] = mine;
            }
            mine = other;
            if (mine != EMPTY) {
                unsigned key = mine >> 32, first = place(key, 0, mask), second = place(key, 1, mask),
                         third = place(key, 2, mask);
                at = at == first ? second : at == second ? third : first;
            }
            tries++;
        }
        lost += mine != EMPTY;
    }
    return lost;
}

static long find(int n, int places, const unsigned *restrict queries, const entry *restrict table, int *found)
{
    long total = 0;
    int count = 0;
    unsigned mask = places - 1;
#pragma acc parallel loop present(queries[0:n], table[0:places]) reduction(+ : total, count)
#pragma omp parallel for reduction(+ : total, count)
    for (int i = 0; i < n; i++) {
        unsigned key = queries[i];
        for (int f = 0; f < 3; f++) {
            entry e = table[place(key, f, mask)];
            if (e != EMPTY && e >> 32 == key) {
                total += e & 0xffffffff;
                count++;
                break;
            }
        }
    }
    *found = count;
    return total;
}
#else
struct functions { unsigned factor[3], mask; };

#define PLACE(f, key, k) spread((key) * (f).factor[k]) & (f).mask

static inline unsigned spread(unsigned h)
{
    h = (h ^ h >> 15) * 0x27d4eb2fu;
    return h ^ h >> 13;
}

static int build(size_t n, size_t places, unsigned *keys, entry *table)
{
    const struct functions f = {{0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du}, (unsigned)places - 1};
    unsigned lost[1] = {0};
#pragma acc data copy(lost) present(keys[0:n], table[0:places])
    {
#pragma acc kernels loop independent
        for (size_t i = 0; i < places; ++i)
            table[i] = EMPTY;
#pragma acc parallel loop gang vector vector_length(256)
        for (size_t i = 0; i < n; ++i) {
            unsigned long long out = (unsigned long long)keys[i] << 32 | i;
            unsigned at = PLACE(f, keys[i], 0), left;
            for (left = TRIES; left > 0; --left) {
                entry was;
#pragma acc atomic capture
                {
                    was = table[at];
                    table[at] = out;
                }
                if (was == EMPTY)
                    break;
                out = was;
                unsigned key = (unsigned)(out >> 32), next = PLACE(f, key, 0);
                if (at == next)
                    next = PLACE(f, key, 1);
                else {
                    unsigned second = PLACE(f, key, 1);
                    if (at == second)
                        next = PLACE(f, key, 2);
                }
                at = next;
            }
            if (left == 0) {
#pragma acc atomic update
                ++lost[0];
            }
        }
    }
    return lost[0];
}

static unsigned long find(size_t n, size_t places, unsigned *queries, entry *table, int *found)
{
    const struct functions f = {{0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du}, (unsigned)places - 1};
    unsigned long total = 0;
    unsigned count = 0;
#pragma acc parallel loop gang vector reduction(+ : total) reduction(+ : count) present(queries[0:n], table[0:places])
#pragma omp parallel for reduction(+ : total, count)
    for (size_t i = 0; i < n; ++i) {
        unsigned k = 0;
        entry e;
        do {
            e = table[PLACE(f, queries[i], k)];
            ++k;
        } while (k < 3 && (e == EMPTY || (unsigned)(e >> 32) != queries[i]));
        int same = e != EMPTY && (unsigned)(e >> 32) == queries[i];
        total += same ? (unsigned)e : 0;
        count += same;
    }
    *found = (int)count;
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = KEYS >> args.shift, places = 2 * n, m = 4 * n, lost = 0, found = 0;
    unsigned *keys = NEW(unsigned, n), *queries = NEW(unsigned, m);
    entry *table = NEW(entry, places);
    double sum = 0;
    for (int i = 0; i < n; i++)
        keys[i] = mix(i + 1);
    for (int i = 0; i < m; i++)
        queries[i] = mix(mix(i + 99) % (2 * n) + 1);
#pragma acc enter data copyin(keys[0:n], queries[0:m]) create(table[0:places])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        lost = build(n, places, keys, table);
        sum = find(m, places, queries, table, &found);
    }
    report("cuckoo", t.best, sum + found + 1e12 * lost);
    return 0;
}
