// Key stream of ChaCha20, 32-bit integers: twenty rounds over sixteen words, 2^20 blocks of 64 bytes.
#include "../kernels.h"

enum { BLOCKS = 1 << 20, WORDS = 16 };

#if SPELLING == 1
#define TURN(a, b) (((a) << (b)) | ((a) >> (32 - (b))))
#define QUARTER(a, b, c, d)                                                                                            \
    (a += b, d ^= a, d = TURN(d, 16), c += d, b ^= c, b = TURN(b, 12), a += b, d ^= a, d = TURN(d, 8), c += d, b ^= c, \
     b = TURN(b, 7))

static void stream(int n, const unsigned *restrict key, unsigned *restrict out)
{
#pragma acc parallel loop present(key[0:WORDS], out[0:n * WORDS])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned x[WORDS];
        for (int k = 0; k < WORDS; k++)
            x[k] = key[k];
        x[12] += i;
        for (int round = 0; round < 20; round += 2) {
            QUARTER(x[0], x[4], x[8], x[12]);
            QUARTER(x[1], x[5], x[9], x[13]);
            QUARTER(x[2], x[6], x[10], x[14]);
            QUARTER(x[3], x[7], x[11], x[15]);
            QUARTER(x[0], x[5], x[10], x[15]);
            QUARTER(x[1], x[6], x[11], x[12]);
            QUARTER(x[2], x[7], x[8], x[13]);
            QUARTER(x[3], x[4], x[9], x[14]);
        }
        for (int k = 0; k < WORDS; k++)
            out[i * WORDS + k] = x[k] + key[k] + (k == 12 ? i : 0);
    }
}
#else
typedef struct {
    unsigned w[WORDS];
} block;

#pragma acc routine seq
static unsigned turn(unsigned value, int bits)
{
    return value << bits | value >> (32 - bits);
}

#pragma acc routine seq
static void quarter(unsigned *x, int a, int b, int c, int d)
{
    x[a] += x[b];
    x[d] = turn(x[d] ^ x[a], 16);
    x[c] += x[d];
    x[b] = turn(x[b] ^ x[c], 12);
    x[a] += x[b];
    x[d] = turn(x[d] ^ x[a], 8);
    x[c] += x[d];
    x[b] = turn(x[b] ^ x[c], 7);
}

static void stream(size_t n, unsigned *key, unsigned *out)
{
    block *blocks = (block *)out;
#pragma acc parallel loop gang vector present(key[0:WORDS], blocks[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        block b, first;
        for (size_t k = 0; k < WORDS; ++k)
            first.w[k] = key[k];
        first.w[12] += (unsigned)i;
        b = first;
        for (int round = 0; round < 10; ++round) {
            for (int k = 0; k < 4; ++k)
                quarter(b.w, k, k + 4, k + 8, k + 12);
            for (int k = 0; k < 4; ++k)
                quarter(b.w, k, (k + 1) % 4 + 4, (k + 2) % 4 + 8, (k + 3) % 4 + 12);
        }
        for (size_t k = 0; k < WORDS; ++k)
            b.w[k] += first.w[k];
        blocks[i] = b;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BLOCKS >> args.shift;
    unsigned *key = NEW(unsigned, WORDS), *out = NEW(unsigned, (long)n *WORDS);
    double sum = 0;
    for (int k = 0; k < WORDS; k++)
        key[k] = mix(k);
#pragma acc enter data copyin(key[0:WORDS]) create(out[0:n * WORDS])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        stream(n, key, out);
#pragma acc update self(out[0:n * WORDS])
    SUM(sum, out, (long)n * WORDS);
    report("chacha", t.best, sum);
    return 0;
}
