// Seeds of 2^18 reads of 64 bases in a genome of 2^22 by an index of Burrows, Wheeler, Ferragina and Manzini: backwards as far as the
// genome has what has been read, then anew; ranks by counts at every 64 bases and bits of two words.
#include "../kernels.h"

enum { BASES = 1 << 22, READS = 1 << 18, LENGTH = 64, LEAST = 12 };

typedef unsigned long long word;

#if SPELLING == 1
static long seeds(int n, int reads, const int *restrict counts, const word *restrict low, const word *restrict high,
                  const int *restrict begin, const word *restrict read, int *restrict longest, int *restrict places)
{
    long total = 0;
#pragma acc parallel loop reduction(+ : total) present(counts[0:4 * (n / 64 + 1)], low[0:n / 64 + 1], high[0:n / 64 + 1]) \
    present(begin[0:5], read[0:2 * reads], longest[0:reads], places[0:reads])
#pragma omp parallel for reduction(+ : total)
    for (int r = 0; r < reads; r++) {
        int best = 0, found = 0, from = 0, to = n, length = 0;
        for (int k = LENGTH - 1; k >= -1; k--) {
            int next[2] = {0, 0}, base = 0;
            if (k >= 0) {
                base = (int)(read[2 * r + k / 32] >> 2 * (k % 32)) & 3;
                for (int e = 0; e < 2; e++) {
                    int i = e ? to : from, b = i / 64;
                    word is = (base & 1 ? low[b] : ~low[b]) & (base & 2 ? high[b] : ~high[b]);
                    is &= ((word)1 << i % 64) - 1;
                    next[e] = begin[base] + counts[4 * b + base] + __builtin_popcountll(is);
                }
            }
            if (k >= 0 && next[0] < next[1]) {
                from = next[0];
                to = next[1];
                length++;
                continue;
            }
            if (length >= LEAST)
                total += to - from;
            if (length > best) {
                best = length;
                found = to - from;
            }
            from = k >= 0 ? begin[base] : 0;
            to = k >= 0 ? begin[base + 1] : 0;
            length = 1;
        }
        longest[r] = best;
        places[r] = found;
    }
    return total;
}
#else
struct block { unsigned counts[4]; word low, high; };
struct range { unsigned from, to; };

#pragma acc routine seq
static unsigned rank(const struct block *blocks, unsigned base, unsigned i)
{
    const struct block b = blocks[i >> 6];
    word is = (b.low ^ ((base & 1) - (word)1)) & (b.high ^ ((base >> 1) - (word)1));
    return b.counts[base] + __builtin_popcountll(is & ~(~(word)0 << (i & 63)));
}

static long seeds(unsigned n, size_t reads, const struct block *blocks, const int *begin, const word (*read)[2],
                  int (*seed)[2])
{
    long total = 0;
    unsigned first[5];
    for (int c = 0; c < 5; ++c)
        first[c] = begin[c];
#pragma acc parallel loop gang vector vector_length(256) firstprivate(first) reduction(+ : total) \
    present(blocks[0:n / 64 + 1], read[0:reads], seed[0:reads])
#pragma omp parallel for reduction(+ : total)
    for (size_t r = 0; r < reads; ++r) {
        int left = LENGTH;
        seed[r][0] = seed[r][1] = 0;
        while (left > 0) {
            struct range at = {0, n};
            int length = 0;
            do {
                const unsigned base = read[r][(left - 1) >> 5] >> 2 * ((left - 1) & 31) & 3;
                struct range next = {first[base] + rank(blocks, base, at.from), first[base] + rank(blocks, base, at.to)};
                if (next.from >= next.to)
                    break;
                at = next;
                ++length;
            } while (--left > 0);
            total += length < LEAST ? 0 : at.to - at.from;
            if (length > seed[r][0]) {
                seed[r][0] = length;
                seed[r][1] = at.to - at.from;
            }
        }
    }
    return total;
}
#endif

// The places of a cyclic genome by the 32 bases that begin there.
static void sort(int n, const unsigned char *genome, int *place)
{
    word *key = NEW(word, n), *keys = NEW(word, n), window = 0;
    int *other = NEW(int, n);
    for (int k = n + 31; k >= 0; k--) {
        window = window >> 2 | (word)genome[k % n] << 62;
        if (k < n)
            key[k] = window;
    }
    for (int k = 0; k < n; k++)
        place[k] = k;
    for (int shift = 0; shift < 64; shift += 16) {
        int *first = (int *)calloc(65537, sizeof(int));
        for (int k = 0; k < n; k++)
            first[(key[k] >> shift & 65535) + 1]++;
        for (int d = 0; d < 65536; d++)
            first[d + 1] += first[d];
        for (int k = 0; k < n; k++) {
            int to = first[key[k] >> shift & 65535]++;
            keys[to] = key[k];
            other[to] = place[k];
        }
        for (int k = 0; k < n; k++) {
            key[k] = keys[k];
            place[k] = other[k];
        }
        free(first);
    }
    free(key);
    free(keys);
    free(other);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BASES >> args.shift, reads = READS >> args.shift, many = n / 64 + 1, *place = NEW(int, n);
    int *counts = NEW(int, 4 * many), begin[5] = {0, 0, 0, 0, 0}, now[4] = {0, 0, 0, 0};
    unsigned char *genome = NEW(unsigned char, n);
    word *low = NEW(word, many), *high = NEW(word, many), (*read)[2] = (word(*)[2])NEW(word, 2 * reads);
    double sum = 0;
    for (int k = 0; k < n; k++) {
        // some of it is there twice
        int from = k % 4096 < 1024 && k > 40960 ? k - 40960 : k;
        genome[k] = mix(from) >> 9 & 3;
        begin[genome[k] + 1]++;
    }
    for (int c = 0; c < 4; c++)
        begin[c + 1] += begin[c];
    sort(n, genome, place);
    for (int b = 0; b < many; b++) {
        low[b] = high[b] = 0;
        for (int c = 0; c < 4; c++)
            counts[4 * b + c] = now[c];
        for (int k = 64 * b; k < 64 * b + 64 && k < n; k++) {
            int base = genome[(place[k] + n - 1) % n];
            now[base]++;
            low[b] |= (word)(base & 1) << k % 64;
            high[b] |= (word)(base >> 1) << k % 64;
        }
    }
    for (int r = 0; r < reads; r++) {
        int at = mix(r + 5) % (n - LENGTH);
        read[r][0] = read[r][1] = 0;
        for (int k = 0; k < LENGTH; k++) {
            word base = mix(r * LENGTH + k) % 40 == 0 ? mix(k + r) % 4 : genome[at + k];
            read[r][k / 32] |= base << 2 * (k % 32);
        }
    }
    long total = 0;
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *longest = NEW(int, reads), *places = NEW(int, reads);
#pragma acc enter data copyin(counts[0:4 * many], low[0:many], high[0:many], begin, read[0:reads]) \
    create(longest[0:reads], places[0:reads])
    while (lap(&t))
        total = seeds(n, reads, counts, low, high, begin, read[0], longest, places);
#pragma acc update self(longest[0:reads], places[0:reads])
    for (int r = 0; r < reads; r++)
        sum += longest[r] + 0.01 * places[r];
#else
    struct block *blocks = NEW(struct block, many);
    int(*seed)[2] = (int(*)[2])NEW(int, 2 * reads);
    for (int b = 0; b < many; b++) {
        for (int c = 0; c < 4; c++)
            blocks[b].counts[c] = counts[4 * b + c];
        blocks[b].low = low[b];
        blocks[b].high = high[b];
    }
#pragma acc enter data copyin(blocks[0:many], read[0:reads]) create(seed[0:reads])
    while (lap(&t))
        total = seeds(n, reads, blocks, begin, read, seed);
#pragma acc update self(seed[0:reads])
    for (int r = 0; r < reads; r++)
        sum += seed[r][0] + 0.01 * seed[r][1];
#endif
    report("fmindex", t.best, sum + 0.1 * total);
    return 0;
}
