// Encryption of 2^20 blocks of 16 bytes by AES with a key of 128 bits in counter mode: nine rounds of four look-ups for each word in
// a table of 256 words, and a last one of bytes.
#include "../kernels.h"

enum { BLOCKS = 1 << 20, ROUNDS = 10 };

#if SPELLING == 1
#define ROTATE(x, by) ((x) >> (by) | (x) << (32 - (by)))
#define MIXED(a, b, c, d)                                                                                        \
    (table[(a) >> 24] ^ ROTATE(table[(b) >> 16 & 255], 8) ^ ROTATE(table[(c) >> 8 & 255], 16) ^ ROTATE(table[(d) & 255], 24))
#define BYTE(x) (table[(x) & 255] >> 8 & 255)
#define LAST(a, b, c, d) (BYTE((a) >> 24) << 24 | BYTE((b) >> 16) << 16 | BYTE((c) >> 8) << 8 | BYTE(d))

static void encrypt(int n, const unsigned *restrict table, const unsigned *restrict key, const unsigned *restrict in,
                    unsigned *restrict out)
{
#pragma acc parallel loop present(table[0:256], key[0:44], in[0:4 * n], out[0:4 * n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        unsigned a = 0x243f6a88 ^ key[0], b = 0x85a308d3 ^ key[1], c = 0x13198a2e ^ key[2], d = i ^ key[3];
        for (int r = 1; r < ROUNDS; r++) {
            unsigned p = MIXED(a, b, c, d) ^ key[4 * r], q = MIXED(b, c, d, a) ^ key[4 * r + 1];
            unsigned s = MIXED(c, d, a, b) ^ key[4 * r + 2], t = MIXED(d, a, b, c) ^ key[4 * r + 3];
            a = p, b = q, c = s, d = t;
        }
        out[4 * i] = in[4 * i] ^ LAST(a, b, c, d) ^ key[40];
        out[4 * i + 1] = in[4 * i + 1] ^ LAST(b, c, d, a) ^ key[41];
        out[4 * i + 2] = in[4 * i + 2] ^ LAST(c, d, a, b) ^ key[42];
        out[4 * i + 3] = in[4 * i + 3] ^ LAST(d, a, b, c) ^ key[43];
    }
}
#else
typedef struct { unsigned word[4]; } block;

static unsigned mixes[256], round_key[ROUNDS + 1][4];
#pragma acc declare create(mixes, round_key)

static inline unsigned turned(unsigned x, int bytes) { return bytes ? x >> 8 * bytes | x << (32 - 8 * bytes) : x; }
static inline unsigned char byte_of(const block *b, int word, int byte) { return b->word[(word + byte) % 4] >> (24 - 8 * byte); }

static void one_round(block *b, const unsigned *key)
{
    block next;
    for (int w = 0; w < 4; ++w) {
        next.word[w] = key[w];
        for (int k = 0; k < 4; ++k)
            next.word[w] ^= turned(mixes[byte_of(b, w, k)], k);
    }
    *b = next;
}

static void encrypt(size_t n, block *in, block *out)
{
#pragma acc parallel loop gang vector vector_length(256) present(in[0:n], out[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        block b = {{0x243f6a88, 0x85a308d3, 0x13198a2e, (unsigned)i}};
        for (int w = 0; w < 4; ++w)
            b.word[w] ^= round_key[0][w];
        for (int r = 1; r < ROUNDS; ++r)
            one_round(&b, round_key[r]);
        for (int w = 0; w < 4; ++w) {
            unsigned last = 0;
            for (int k = 0; k < 4; ++k)
                last = last << 8 | (mixes[byte_of(&b, w, k)] >> 8 & 0xff);
            out[i].word[w] = in[i].word[w] ^ last ^ round_key[ROUNDS][w];
        }
    }
}
#endif

static unsigned twice(unsigned x) { return (x << 1 ^ (x & 128 ? 0x11b : 0)) & 255; }

// The substitution of a byte: its inverse in the field of 256 elements, then an affine map.
static unsigned substitute(unsigned x)
{
    unsigned power = 1, result = 0x63;
    for (int k = 0; k < 254; k++) {
        unsigned product = 0, a = power;
        for (unsigned b = x; b; b >>= 1, a = twice(a))
            product ^= b & 1 ? a : 0;
        power = product;
    }
    for (int k = 0; k < 5; k++)
        result ^= (power << k | power >> (8 - k)) & 255;
    return result;
}

static void prepare(unsigned *table, unsigned *key)
{
    unsigned constant = 1;
    for (int k = 0; k < 256; k++) {
        unsigned s = substitute(k);
        table[k] = twice(s) << 24 | s << 16 | s << 8 | (twice(s) ^ s);
    }
    for (int k = 0; k < 44; k++) {
        unsigned x = k < 4 ? mix(k + 1) : key[k - 1];
        if (k >= 4 && k % 4 == 0) {
            x = x << 8 | x >> 24;
            unsigned bytes = 0;
            for (int b = 24; b >= 0; b -= 8)
                bytes |= (table[x >> b & 255] >> 8 & 255) << b;
            x = bytes ^ constant << 24;
            constant = twice(constant);
        }
        key[k] = k < 4 ? x : key[k - 4] ^ x;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BLOCKS >> args.shift;
    unsigned *table = NEW(unsigned, 256), *key = NEW(unsigned, 44), *in = NEW(unsigned, 4 * n), *out = NEW(unsigned, 4 * n);
    double sum = 0;
    prepare(table, key);
    for (int k = 0; k < 4 * n; k++)
        in[k] = mix(k);
#if SPELLING == 2
    for (int k = 0; k < 256; k++)
        mixes[k] = table[k];
    for (int k = 0; k < 44; k++)
        round_key[k / 4][k % 4] = key[k];
#pragma acc update device(mixes, round_key)
#endif
#pragma acc enter data copyin(table[0:256], key[0:44], in[0:4 * n]) create(out[0:4 * n])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        encrypt(n, table, key, in, out);
#else
        encrypt(n, (block *)in, (block *)out);
#endif
    }
#pragma acc update self(out[0:4 * n])
    SUM(sum, out, 4 * n);
    report("aes", t.best, sum);
    return 0;
}
