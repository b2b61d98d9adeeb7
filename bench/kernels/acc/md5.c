// MD5 digests of 2^20 words of seven letters, as a search for a password does it: the exclusive or of all digests.
#include "../kernels.h"

enum { WORDS = 1 << 20 };

static const unsigned sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1,
    0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453,
    0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942,
    0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05,
    0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d,
    0x85845dd1, 0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};
static const unsigned char turns[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
#pragma acc declare copyin(sines, turns)

#if SPELLING == 1
static void digests(int n, unsigned out[4])
{
    unsigned ra = 0, rb = 0, rc = 0, rd = 0;
#pragma acc parallel loop reduction(^ : ra, rb, rc, rd)
#pragma omp parallel for reduction(^ : ra, rb, rc, rd)
    for (int w = 0; w < n; w++) {
        unsigned m[16] = {0}, left = w, a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
        for (int k = 0; k < 7; k++) {
            m[k / 4] |= ('a' + left % 26) << k % 4 * 8;
            left /= 26;
        }
        m[1] |= 0x80u << 24;
        m[14] = 56;
        for (int k = 0; k < 64; k++) {
            unsigned f;
            int g;
            switch (k / 16) {
            case 0: f = (b & c) | (~b & d); g = k; break;
            case 1: f = (d & b) | (~d & c); g = (5 * k + 1) % 16; break;
            case 2: f = b ^ c ^ d; g = (3 * k + 5) % 16; break;
            default: f = c ^ (b | ~d); g = 7 * k % 16; break;
            }
            f += a + sines[k] + m[g];
            a = d;
            d = c;
            c = b;
            int s = turns[k / 16 * 4 + k % 4];
            b += f << s | f >> (32 - s);
        }
        ra ^= a + 0x67452301;
        rb ^= b + 0xefcdab89;
        rc ^= c + 0x98badcfe;
        rd ^= d + 0x10325476;
    }
    out[0] = ra;
    out[1] = rb;
    out[2] = rc;
    out[3] = rd;
}
#else
typedef unsigned word;
#define F(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define G(x, y, z) F(z, x, y)
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))

static word rotated(word x, unsigned by) { return (x << by) | (x >> (32 - by)); }

static void rounds(word state[4], const word *m)
{
    word a = state[0], b = state[1], c = state[2], d = state[3], t;
#define TURN(f, k, at)                                                                                                              \
    do {                                                                                                                            \
        t = a + f(b, c, d) + m[at] + sines[k];                                                                                      \
        a = d;                                                                                                                      \
        d = c;                                                                                                                      \
        c = b;                                                                                                                      \
        b += rotated(t, turns[(k) / 16 * 4 + (k) % 4]);                                                                             \
    } while (0)
    for (unsigned k = 0; k < 16; ++k)
        TURN(F, k, k);
    for (unsigned k = 16; k < 32; ++k)
        TURN(G, k, (5 * k + 1) & 15);
    for (unsigned k = 32; k < 48; ++k)
        TURN(H, k, (3 * k + 5) & 15);
    for (unsigned k = 48; k < 64; ++k)
        TURN(I, k, (7 * k) & 15);
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void digests(size_t n, word out[4])
{
    word all0 = 0, all1 = 0, all2 = 0, all3 = 0;
#pragma acc parallel loop gang vector reduction(^ : all0) reduction(^ : all1) reduction(^ : all2) reduction(^ : all3)
#pragma omp parallel for reduction(^ : all0, all1, all2, all3)
    for (size_t w = 0; w < n; ++w) {
        union { unsigned char letter[64]; word m[16]; } block = {{0}};
        word state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
        size_t left = w;
        for (int k = 0; k < 7; ++k, left /= 26)
            block.letter[k] = (unsigned char)('a' + left % 26);
        block.letter[7] = 0x80;
        block.m[14] = 7 * 8;
        rounds(state, block.m);
        all0 ^= state[0];
        all1 ^= state[1];
        all2 ^= state[2];
        all3 ^= state[3];
    }
    out[0] = all0, out[1] = all1, out[2] = all2, out[3] = all3;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = WORDS >> args.shift;
    unsigned out[4];
    struct watch t = watch(args.repeats);
    while (lap(&t))
        digests(n, out);
    report("md5", t.best, out[0] + 3.0 * out[1] + 5.0 * out[2] + 7.0 * out[3]);
    return 0;
}
