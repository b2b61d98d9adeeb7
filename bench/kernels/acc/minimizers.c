// Minimisers of a genome of 2^22 bases: a hash of each word of 15 bases or of its reverse complement, whichever is less, the place of the
// least hash in each window of ten words, and how many places are chosen by some window.
#include "../kernels.h"
#include <stdint.h>

enum { BASES = 1 << 22, LETTERS = 15, WINDOW = 10 };

#if SPELLING == 1
static int choose(int n, const unsigned char *restrict base, unsigned *restrict hash, int *restrict place)
{
    int words = n - LETTERS + 1, windows = words - WINDOW + 1, chosen = 0;
#pragma acc data present(base[0:n], hash[0:n], place[0:n])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < words; i++) {
            unsigned forward = 0, backward = 0;
            for (int j = 0; j < LETTERS; j++) {
                forward = forward << 2 | base[i + j];
                backward |= (3u - base[i + j]) << 2 * j;
            }
            unsigned h = forward < backward ? forward : backward;
            h ^= h >> 16;
            h *= 0x7feb352du;
            h ^= h >> 15;
            h *= 0x846ca68bu;
            h ^= h >> 16;
            hash[i] = h;
        }
#pragma acc parallel loop
#pragma omp parallel for
        for (int i = 0; i < windows; i++) {
            int at = i;
            for (int j = i + 1; j < i + WINDOW; j++)
                if (hash[j] < hash[at])
                    at = j;
            place[i] = at;
        }
#pragma acc parallel loop reduction(+ : chosen)
#pragma omp parallel for reduction(+ : chosen)
        for (int i = 0; i < windows; i++)
            chosen += i == 0 || place[i] != place[i - 1];
    }
    return chosen;
}
#else
#define COMPLEMENT(b) (3 - (b))

static inline uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 16) * UINT32_C(0x7feb352d);
    x = (x ^ x >> 15) * UINT32_C(0x846ca68b);
    return x ^ x >> 16;
}

static uint32_t canonical(const uint8_t *p)
{
    uint64_t there = 0, back = 0;
    for (const uint8_t *end = p + LETTERS; p < end; ++p) {
        there = there * 4 + *p;
        back = back / 4 + ((uint64_t)COMPLEMENT(*p) << 2 * (LETTERS - 1));
    }
    return (uint32_t)(there < back ? there : back);
}

static uint32_t least(const uint32_t *hash, size_t from)
{
    uint32_t best = hash[from];
    size_t at = from;
    for (size_t j = 1; j < WINDOW; ++j) {
        uint32_t h = hash[from + j];
        if (h < best) {
            best = h;
            at = from + j;
        }
    }
    return (uint32_t)at;
}

static long choose(size_t n, uint8_t *genome, uint32_t *hash, uint32_t *place)
{
    const size_t words = n - (LETTERS - 1), windows = words - (WINDOW - 1);
    long chosen = 1;
#pragma acc kernels present(genome[0:n], hash[0:n], place[0:n])
    {
#pragma acc loop independent gang vector
#pragma omp parallel for
        for (size_t i = 0; i < words; ++i)
            hash[i] = scramble(canonical(genome + i));
#pragma acc loop independent gang vector
#pragma omp parallel for
        for (size_t i = 0; i < windows; ++i)
            place[i] = least(hash, i);
    }
#pragma acc parallel loop present(place[0:n]) reduction(+ : chosen)
#pragma omp parallel for reduction(+ : chosen)
    for (size_t i = 1; i < windows; ++i)
        if (place[i] != place[i - 1])
            ++chosen;
    return chosen;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BASES >> args.shift, windows = n - LETTERS + 1 - WINDOW + 1, *place = NEW(int, n);
    unsigned char *base = NEW(unsigned char, n);
    unsigned *hash = NEW(unsigned, n);
    double sum = 0;
    long chosen = 0;
    for (int i = 0; i < n; i++)
        base[i] = mix(i + 17) >> 7 & 3;
#pragma acc enter data copyin(base[0:n]) create(hash[0:n], place[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        chosen = choose(n, base, hash, (void *)place);
#pragma acc update self(place[0:n])
    for (int i = 0; i < windows; i++)
        sum += place[i] - i + 1e-3 * (place[i] % 1000);
    report("minimizers", t.best, sum + chosen);
    return 0;
}
