// The mixing of scrypt (ROMix, r = 1) for 2^15 passwords: 256 blocks of 128 bytes are written one after the other by
// Salsa20/8, then read again in the order that the data choose.
#include "../kernels.h"
#include <stdint.h>

enum { JOBS = 1 << 15, DEPTH = 256, WORDS = 32 };

#if SPELLING == 1
#define ROTATE(a, k) (((a) << (k)) | ((a) >> (32 - (k))))
#define QUARTER(a, b, c, d)                                                                          \
    x[b] ^= ROTATE(x[a] + x[d], 7), x[c] ^= ROTATE(x[b] + x[a], 9), x[d] ^= ROTATE(x[c] + x[b], 13), \
        x[a] ^= ROTATE(x[d] + x[c], 18)

static inline void salsa(unsigned *restrict to, const unsigned *restrict with)
{
    unsigned x[16];
    for (int k = 0; k < 16; k++)
        x[k] = to[k] ^= with[k];
    for (int round = 0; round < 4; round++) {
        QUARTER(0, 4, 8, 12), QUARTER(5, 9, 13, 1), QUARTER(10, 14, 2, 6), QUARTER(15, 3, 7, 11);
        QUARTER(0, 1, 2, 3), QUARTER(5, 6, 7, 4), QUARTER(10, 11, 8, 9), QUARTER(15, 12, 13, 14);
    }
    for (int k = 0; k < 16; k++)
        to[k] += x[k];
}

static void romix(int jobs, const unsigned *restrict in, unsigned *restrict v, unsigned *restrict out)
{
#pragma acc parallel loop gang vector vector_length(128) present(in[0:jobs * WORDS], out[0:jobs * WORDS]) \
    present(v[0:jobs * DEPTH * WORDS])
#pragma omp parallel for
    for (int job = 0; job < jobs; job++) {
        unsigned b[WORDS];
        for (int k = 0; k < WORDS; k++)
            b[k] = in[k * jobs + job];
        for (int i = 0; i < DEPTH; i++) {
            for (int k = 0; k < WORDS; k++)
                v[(i * WORDS + k) * jobs + job] = b[k];
            salsa(b, b + 16);
            salsa(b + 16, b);
        }
        for (int i = 0; i < DEPTH; i++) {
            int j = b[16] % DEPTH;
            for (int k = 0; k < WORDS; k++)
                b[k] ^= v[(j * WORDS + k) * jobs + job];
            salsa(b, b + 16);
            salsa(b + 16, b);
        }
        for (int k = 0; k < WORDS; k++)
            out[k * jobs + job] = b[k];
    }
}
#else
typedef struct { uint32_t low[16], high[16]; } block;

static inline uint32_t turned(uint32_t a, unsigned by) { return a << by | a >> (32 - by); }

static inline void quarter(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *b ^= turned(*a + *d, 7);
    *c ^= turned(*b + *a, 9);
    *d ^= turned(*c + *b, 13);
    *a ^= turned(*d + *c, 18);
}

static inline void mixed(uint32_t to[16], const uint32_t with[16])
{
    uint32_t x[16];
    for (unsigned k = 0; k < 16; ++k)
        x[k] = to[k] = to[k] ^ with[k];
    for (unsigned round = 8; round; round -= 2) {
        for (unsigned k = 0; k < 4; ++k)
            quarter(x + 5 * k, x + (5 * k + 4) % 16, x + (5 * k + 8) % 16, x + (5 * k + 12) % 16);
        for (unsigned k = 0; k < 4; ++k)
            quarter(x + 5 * k, x + 4 * k + (k + 1) % 4, x + 4 * k + (k + 2) % 4, x + 4 * k + (k + 3) % 4);
    }
    for (unsigned k = 0; k < 16; ++k)
        to[k] += x[k];
}

static void romix(size_t jobs, uint32_t *in, uint32_t *store, uint32_t *out)
{
    block(*v)[DEPTH] = (block(*)[DEPTH])store;
#pragma acc parallel loop present(in[0:jobs * WORDS], out[0:jobs * WORDS], v[0:jobs])
#pragma omp parallel for
    for (size_t job = 0; job < jobs; ++job) {
        block b, *at = v[job];
        for (size_t k = 0; k < 16; ++k) {
            b.low[k] = in[k * jobs + job];
            b.high[k] = in[(k + 16) * jobs + job];
        }
        while (at != v[job] + DEPTH) {
            *at++ = b;
            mixed(b.low, b.high);
            mixed(b.high, b.low);
        }
        for (unsigned left = DEPTH; left--;) {
            const block *old = v[job] + (b.high[0] & (DEPTH - 1));
            for (size_t k = 0; k < 16; ++k) {
                b.low[k] ^= old->low[k];
                b.high[k] ^= old->high[k];
            }
            mixed(b.low, b.high);
            mixed(b.high, b.low);
        }
        for (size_t k = 0; k < 16; ++k) {
            out[k * jobs + job] = b.low[k];
            out[(k + 16) * jobs + job] = b.high[k];
        }
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int jobs = JOBS >> args.shift;
    unsigned *in = NEW(unsigned, jobs * WORDS), *out = NEW(unsigned, jobs * WORDS);
    unsigned *v = NEW(unsigned, (size_t)jobs * DEPTH * WORDS);
    double sum = 0;
    for (int k = 0; k < jobs * WORDS; k++)
        in[k] = mix(k);
#pragma acc enter data copyin(in[0:jobs * WORDS]) create(out[0:jobs * WORDS], v[0:(size_t)jobs * DEPTH * WORDS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        romix(jobs, in, v, out);
#pragma acc update self(out[0:jobs * WORDS])
    for (int k = 0; k < jobs * WORDS; k++)
        sum += (double)out[k] * (1 + k % 5);
    report("scrypt", t.best, sum);
    return 0;
}
