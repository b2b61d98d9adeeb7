// A search for a proof of work: SHA-256 twice of a header of 80 bytes that ends in each of 2^20 numbers, from the state that its first 64 bytes
// leave; the least and the sum of the results' last words as a number, and how many are below a target.
#include "../kernels.h"
#include <stdint.h>

enum { NONCES = 1 << 20 };
static const unsigned TARGET = 1u << 20;

// The fractions of the cube roots of the first 64 primes, and of the square roots of the first eight.
static uint32_t k[64], initial[8];
#pragma acc declare create(k, initial)

static void constants(void)
{
    for (int p = 2, n = 0; n < 64; p++) {
        int prime = 1;
        for (int d = 2; d * d <= p; d++)
            prime &= p % d != 0;
        if (!prime)
            continue;
        if (n < 8)
            initial[n] = (uint32_t)(uint64_t)ldexp(sqrt(p) - floor(sqrt(p)), 32);
        k[n++] = (uint32_t)(uint64_t)ldexp(cbrt(p) - floor(cbrt(p)), 32);
    }
}

struct found { unsigned least; int below; long long sum; };

#if SPELLING == 1
static inline unsigned turn(unsigned x, int by) { return x >> by | x << (32 - by); }

#pragma acc routine seq
static void compress(unsigned *state, const unsigned *block)
{
    unsigned w[64], s[8];
    for (int t = 0; t < 16; t++)
        w[t] = block[t];
    for (int t = 16; t < 64; t++) {
        unsigned s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ (w[t - 15] >> 3);
        unsigned s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    for (int j = 0; j < 8; j++)
        s[j] = state[j];
    for (int t = 0; t < 64; t++) {
        unsigned s1 = turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25), choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        unsigned s0 = turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22), most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        unsigned t1 = s[7] + s1 + choice + k[t] + w[t], t2 = s0 + most;
        for (int j = 7; j > 0; j--)
            s[j] = s[j - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int j = 0; j < 8; j++)
        state[j] += s[j];
}

static struct found search(int n, const unsigned *restrict middle, const unsigned *restrict tail)
{
    unsigned least = ~0u;
    int below = 0;
    long long sum = 0;
#pragma acc parallel loop present(middle[0:8], tail[0:3]) reduction(min : least) reduction(+ : below, sum)
#pragma omp parallel for reduction(min : least) reduction(+ : below, sum)
    for (int i = 0; i < n; i++) {
        unsigned state[8], second[8], block[16] = {tail[0], tail[1], tail[2], i, 0x80000000};
        block[15] = 640;
        for (int j = 0; j < 8; j++) {
            state[j] = middle[j];
            second[j] = initial[j];
        }
        compress(state, block);
        for (int j = 0; j < 16; j++)
            block[j] = j < 8 ? state[j] : 0;
        block[8] = 0x80000000;
        block[15] = 256;
        compress(second, block);
        unsigned word = __builtin_bswap32(second[7]);
        least = word < least ? word : least;
        below += word < TARGET;
        sum += word >> 12;
    }
    return (struct found){least, below, sum};
}
#else
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
#define CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))
#define S0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define S1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define R0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define R1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))
#define ROUND(a, b, c, d, e, f, g, h, t)                              \
    do {                                                              \
        if ((t) >= 16)                                                \
            w[(t) & 15] += R1(w[((t) - 2) & 15]) + w[((t) - 7) & 15] + R0(w[((t) - 15) & 15]); \
        uint32_t t1 = h + S1(e) + CH(e, f, g) + k[t] + w[(t) & 15];   \
        d += t1;                                                      \
        h = t1 + S0(a) + MAJ(a, b, c);                                \
    } while (0)

typedef struct { uint32_t word[8]; } digest;

static inline digest transform(digest in, uint32_t w[16])
{
    uint32_t a = in.word[0], b = in.word[1], c = in.word[2], d = in.word[3], e = in.word[4], f = in.word[5], g = in.word[6], h = in.word[7];
    for (size_t t = 0; t < 64; t += 8) {
        ROUND(a, b, c, d, e, f, g, h, t);
        ROUND(h, a, b, c, d, e, f, g, t + 1);
        ROUND(g, h, a, b, c, d, e, f, t + 2);
        ROUND(f, g, h, a, b, c, d, e, t + 3);
        ROUND(e, f, g, h, a, b, c, d, t + 4);
        ROUND(d, e, f, g, h, a, b, c, t + 5);
        ROUND(c, d, e, f, g, h, a, b, t + 6);
        ROUND(b, c, d, e, f, g, h, a, t + 7);
    }
    return (digest){{in.word[0] + a, in.word[1] + b, in.word[2] + c, in.word[3] + d, in.word[4] + e, in.word[5] + f, in.word[6] + g, in.word[7] + h}};
}

static struct found search(size_t n, uint32_t *middle, uint32_t *tail)
{
    uint32_t least = ~0u;
    unsigned long below = 0, sum = 0;
    digest start;
    for (int j = 0; j < 8; ++j)
        start.word[j] = middle[j];
    const uint32_t t0 = tail[0], t1 = tail[1], t2 = tail[2];
#pragma acc parallel loop gang vector vector_length(256) firstprivate(start) reduction(min : least) reduction(+ : below, sum)
#pragma omp parallel for reduction(min : least) reduction(+ : below, sum)
    for (size_t nonce = 0; nonce < n; ++nonce) {
        uint32_t w[16] = {t0, t1, t2, (uint32_t)nonce, 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 640};
        digest first = transform(start, w), origin;
        for (int j = 0; j < 8; ++j) {
            origin.word[j] = initial[j];
            w[j] = first.word[j];
            w[8 + j] = j == 0 ? 0x80000000u : j == 7 ? 256 : 0;
        }
        const uint32_t last = transform(origin, w).word[7];
        const uint32_t number = last << 24 | (last & 0xff00) << 8 | (last >> 8 & 0xff00) | last >> 24;
        if (number < least)
            least = number;
        if (number < TARGET)
            ++below;
        sum += number >> 12;
    }
    return (struct found){least, (int)below, (long long)sum};
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = NONCES >> args.shift;
    unsigned middle[8], tail[3];
    struct found f = {0, 0, 0};
    constants();
    for (int j = 0; j < 8; j++)
        middle[j] = mix(j + 1);
    for (int j = 0; j < 3; j++)
        tail[j] = mix(j + 100);
#pragma acc update device(k, initial)
#pragma acc enter data copyin(middle, tail)
    struct watch t = watch(args.repeats);
    while (lap(&t))
        f = search(n, middle, tail);
    report("sha", t.best, f.least + (double)f.below + (double)f.sum);
    return 0;
}
