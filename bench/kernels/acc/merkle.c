// A tree of hashes over 2^17 leaves of 64 bytes by SHA3-256 (Keccak, 24 rounds of 25 words of 64 bits): each level's
// digests, two by two, are what the next level hashes, a launch each, up to the root.
#include "../kernels.h"

enum { LEAVES = 1 << 17, WORDS = 4, RATE = 17 };

typedef unsigned long long word;

#if SPELLING == 1
#define TURN(x, n) ((x) << (n) | (x) >> (64 - (n)))

static void level(int n, const word *restrict from, word *restrict to)
{
    static const word rounds[24] = {
        0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull,
        0x000000000000808bull, 0x0000000080000001ull, 0x8000000080008081ull, 0x8000000000008009ull,
        0x000000000000008aull, 0x0000000000000088ull, 0x0000000080008009ull, 0x000000008000000aull,
        0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull,
        0x8000000000008002ull, 0x8000000000000080ull, 0x000000000000800aull, 0x800000008000000aull,
        0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};
    static const int turns[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                  27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
    static const int lanes[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                  15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
#pragma acc parallel loop copyin(rounds, turns, lanes) present(from[0:2 * n * WORDS], to[0:n * WORDS])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        word s[25], c[5];
        for (int k = 0; k < 25; k++)
            s[k] = k < 2 * WORDS ? from[i * 2 * WORDS + k] : 0;
        s[2 * WORDS] = 6;
        s[RATE - 1] = 1ull << 63;
        for (int r = 0; r < 24; r++) {
            for (int x = 0; x < 5; x++)
                c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
            for (int x = 0; x < 5; x++) {
                word d = c[(x + 4) % 5] ^ TURN(c[(x + 1) % 5], 1);
                for (int y = 0; y < 25; y += 5)
                    s[x + y] ^= d;
            }
            word last = s[1];
            for (int k = 0; k < 24; k++) {
                word next = s[lanes[k]];
                s[lanes[k]] = TURN(last, turns[k]);
                last = next;
            }
            for (int y = 0; y < 25; y += 5) {
                for (int x = 0; x < 5; x++)
                    c[x] = s[y + x];
                for (int x = 0; x < 5; x++)
                    s[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
            }
            s[0] ^= rounds[r];
        }
        for (int k = 0; k < WORDS; k++)
            to[i * WORDS + k] = s[k];
    }
}
#else
typedef struct { word w[WORDS]; } digest;

#pragma acc routine seq
static inline word turned(word x, unsigned n) { return n ? (x << n) | (x >> (64 - n)) : x; }

// The constants come from a shift register of eight bits.
#pragma acc routine seq
static word constant(unsigned char *bits)
{
    word w = 0;
    for (unsigned j = 0; j < 7; ++j) {
        if (*bits & 1)
            w ^= 1ull << ((1u << j) - 1);
        *bits = *bits & 0x80 ? *bits << 1 ^ 0x71 : *bits << 1;
    }
    return w;
}

#pragma acc routine seq
static void keccak(word s[5][5])
{
    unsigned char bits = 1;
    for (unsigned r = 0; r < 24; ++r) {
        word c[5], b[5][5];
        for (unsigned x = 0; x < 5; ++x)
            c[x] = s[0][x] ^ s[1][x] ^ s[2][x] ^ s[3][x] ^ s[4][x];
        for (unsigned y = 0; y < 5; ++y)
            for (unsigned x = 0; x < 5; ++x)
                s[y][x] ^= c[(x + 4) % 5] ^ turned(c[(x + 1) % 5], 1);
        b[0][0] = s[0][0];
        for (unsigned t = 0, x = 1, y = 0; t < 24; ++t) {
            unsigned down = (2 * x + 3 * y) % 5;
            b[down][y] = turned(s[y][x], (t + 1) * (t + 2) / 2 % 64);
            x = y;
            y = down;
        }
        for (unsigned y = 0; y < 5; ++y)
            for (unsigned x = 0; x < 5; ++x)
                s[y][x] = b[y][x] ^ (~b[y][(x + 1) % 5] & b[y][(x + 2) % 5]);
        s[0][0] ^= constant(&bits);
    }
}

static void level(size_t n, const word *from, word *to)
{
    const digest *pairs = (const digest *)from;
    digest *out = (digest *)to;
#pragma acc kernels loop independent gang vector(128) present(pairs[0:2 * n], out[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        word s[5][5] = {{0}};
        for (unsigned k = 0; k < 2 * WORDS; ++k)
            s[k / 5][k % 5] = pairs[2 * i + k / WORDS].w[k % WORDS];
        s[1][3] = 6;
        s[3][1] = 1ull << 63;
        keccak(s);
        out[i] = (digest){{s[0][0], s[0][1], s[0][2], s[0][3]}};
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LEAVES >> args.shift;
    word *tree = NEW(word, 4 * n * WORDS);
    double sum = 0;
    // leaves, then the levels one after the other
    for (int k = 0; k < 2 * n * WORDS; k++)
        tree[k] = (word)mix(k) << 32 | mix(k + 12345);
#pragma acc enter data copyin(tree[0:4 * n * WORDS])
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
        word *from = tree;
        for (int m = n; m > 0; m /= 2) {
            level(m, from, from + 2 * m * WORDS);
            from += 2 * m * WORDS;
        }
    }
#pragma acc update self(tree[0:4 * n * WORDS])
    for (int k = 2 * n * WORDS; k < (4 * n - 1) * WORDS; k++)
        sum += tree[k] >> 48;
    for (int k = 0; k < WORDS; k++)
        sum += tree[(4 * n - 2) * WORDS + k] >> 32;
    report("merkle", t.best, sum);
    return 0;
}
