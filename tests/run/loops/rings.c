// Places in rings, whose remainders are comparisons where the place is known to be inside, in a struct beside the ring and in variables;
// rings that start outside, go back, or are moved through pointers.
#include <stdio.h>
#include <string.h>

enum { N = 70, LENGTH = 7, STEPS = 40 };

struct ring { unsigned word[LENGTH]; size_t at; };

static unsigned next(struct ring *r)
{
    size_t at = r->at, following = (at + 1) % LENGTH, far = (at + 3) % LENGTH;
    unsigned x = r->word[at] * 3 + (r->word[following] >> 1) + (r->word[far] ^ 5);
    r->word[at] = x;
    r->at = following;
    return x;
}

static unsigned in_struct(int n, const unsigned *seed)
{
    unsigned sum = 0;
#pragma acc parallel loop copyin(seed[0:n]) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        struct ring r = {{seed[i]}, 0}, kept;
        for (unsigned k = 1; k < LENGTH; k++)
            r.word[k] = (r.word[k - 1] ^ (r.word[k - 1] >> 3)) * 1812433253u + k;
        for (int step = 0; step < STEPS; step++) {
            sum += next(&r);
            if (step == 11)
                kept = r;
        }
        sum += (next(&kept) ^ 3) + (unsigned)kept.at;
        memset(&r, 0, sizeof r);
        r.word[2] = (unsigned)i;
        sum += next(&r) + next(&r) + (unsigned)r.at;
    }
    return sum;
}

// `start`: constants, so that the ranges are known.
#define RING(name, type, start, forth)                                                                                     \
    static long name(int n, const unsigned *seed)                                                                          \
    {                                                                                                                      \
        long sum = 0;                                                                                                      \
        _Pragma("acc parallel loop copyin(seed[0:n]) reduction(+ : sum)") for (int i = 0; i < n; i++)                      \
        {                                                                                                                  \
            type at = start;                                                                                               \
            unsigned word[LENGTH];                                                                                         \
            for (int k = 0; k < LENGTH; k++)                                                                               \
                word[k] = seed[i] + k;                                                                                     \
            for (int step = 0; step < STEPS; step++) {                                                                     \
                type before = at;                                                                                          \
                at = forth;                                                                                                \
                sum += (long)at * (step + 1) + word[(at + LENGTH) % LENGTH];                                               \
                word[(before + 5 + LENGTH) % LENGTH] += (unsigned)step;                                                             \
            }                                                                                                              \
        }                                                                                                                  \
        return sum;                                                                                                        \
    }

RING(from_zero, int, 0, (at + 1) % LENGTH)
RING(from_nine, int, 9, (at + 1) % LENGTH)
RING(from_afar, unsigned, 100, (at + 1) % LENGTH)
RING(from_below, int, -3, (at + 1) % LENGTH)
RING(backwards, int, 3, (at + LENGTH - 1) % LENGTH)
RING(below_zero, int, 3, (at - 1) % LENGTH)
RING(chosen, long, 2, at == LENGTH - 1 ? 0 : at + 1)
RING(unsigned_char, unsigned char, 250, (unsigned char)(at + 1) % LENGTH)

static long by_pointer(int n)
{
    long sum = 0;
#pragma acc parallel loop reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        int at = 0, other = 1, *moved = i % 2 ? &at : &other;
        for (int step = 0; step < STEPS; step++) {
            at = (at + 1) % LENGTH;
            *moved += 13;
            sum += (at + 2) % LENGTH * step + other;
        }
    }
    return sum;
}

int main(void)
{
    unsigned seed[N];
    for (unsigned i = 0; i < N; i++)
        seed[i] = i * 2654435761u >> 5;
    printf("struct %u\n", in_struct(N, seed));
    printf("from %ld %ld %ld %ld\n", from_zero(N, seed), from_nine(N, seed), from_afar(N, seed), from_below(N, seed));
    printf("back %ld %ld\n", backwards(N, seed), below_zero(N, seed));
    printf("chosen %ld %ld\n", chosen(N, seed), unsigned_char(N, seed));
    printf("by pointer %ld\n", by_pointer(N));
    return 0;
}
