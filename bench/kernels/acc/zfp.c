// A field of 256^3 floats compressed to eight bits a number as ZFP does it: blocks of 4 x 4 x 4 get one exponent and become whole
// numbers, a lifted transform along three directions, then planes of bits with runs of zeros until 512 bits are full.
#include "../kernels.h"

enum { SIDE = 256, BLOCK = 64, BITS = 512, WORDS = BITS / 64 };

typedef unsigned long long word;

// Coefficients in the order of their frequencies.
static const unsigned char order[BLOCK] = {
    0,  1,  4,  16, 20, 17, 5,  2,  8,  32, 21, 6,  18, 24, 9,  33, 36, 3,  12, 48, 22, 25,
    37, 40, 34, 10, 7,  19, 28, 13, 49, 52, 41, 38, 26, 23, 29, 53, 11, 35, 44, 14, 50, 56,
    42, 27, 39, 45, 30, 54, 57, 60, 51, 15, 43, 46, 58, 61, 55, 31, 62, 59, 47, 63};

#if SPELLING == 1
#pragma acc declare copyin(order)

static inline void lift(int *p, int s)
{
    int x = p[0], y = p[s], z = p[2 * s], w = p[3 * s];
    x += w; x >>= 1; w -= x;
    z += y; z >>= 1; y -= z;
    x += z; x >>= 1; z -= x;
    w += y; w >>= 1; y -= w;
    w += y >> 1; y -= w >> 1;
    p[0] = x;
    p[s] = y;
    p[2 * s] = z;
    p[3 * s] = w;
}

static void compress(int depth, const float *restrict field, word *restrict out)
{
    int blocks = SIDE / 4;
#pragma acc parallel loop gang vector collapse(3) vector_length(128) present(field[0:depth * SIDE * SIDE]) \
    present(out[0:depth * SIDE * SIDE / BLOCK * WORDS])
#pragma omp parallel for collapse(2)
    for (int bz = 0; bz < depth / 4; bz++)
        for (int by = 0; by < blocks; by++)
            for (int bx = 0; bx < blocks; bx++) {
                int first = (4 * bz * SIDE + 4 * by) * SIDE + 4 * bx, v[BLOCK], exponent = -127, left = BITS, n = 0, k;
                unsigned u[BLOCK];
                word *to = out + ((bz * blocks + by) * blocks + bx) * WORDS, buffer = 0;
                float most = 0;
                for (int i = 0; i < BLOCK; i++)
                    most = fmaxf(most, fabsf(field[first + i / 16 * SIDE * SIDE + i / 4 % 4 * SIDE + i % 4]));
                if (most > 0)
                    frexpf(most, &exponent);
                for (int i = 0; i < BLOCK; i++)
                    v[i] = (int)ldexpf(field[first + i / 16 * SIDE * SIDE + i / 4 % 4 * SIDE + i % 4], 30 - exponent);
                for (int i = 0; i < 16; i++)
                    lift(v + 4 * i, 1);
                for (int i = 0; i < 16; i++)
                    lift(v + i / 4 * 16 + i % 4, 4);
                for (int i = 0; i < 16; i++)
                    lift(v + i, 16);
                for (int i = 0; i < BLOCK; i++)
                    u[i] = ((unsigned)v[order[i]] + 0xaaaaaaaau) ^ 0xaaaaaaaau;
                // nine bits for the exponent
                buffer = exponent + 128;
                left -= 9;
                int at = 9;
                for (k = 31; k >= 0 && left > 0; k--) {
                    word x = 0;
                    int m = n < left ? n : left;
                    for (int i = 0; i < BLOCK; i++)
                        x += (word)(u[i] >> k & 1) << i;
                    // the bits of those that have begun, then a bit whether there are more, and a run up to the next
                    word low = m == 64 ? x : x & (((word)1 << m) - 1);
                    if (m > 0) {
                        buffer |= low << at;
                        if (at + m >= 64) {
                            *to++ = buffer;
                            buffer = at ? low >> (64 - at) : 0;
                        }
                        at = (at + m) % 64;
                    }
                    x = m == 64 ? 0 : x >> m;
                    left -= m;
                    while (n < BLOCK && left > 0) {
                        int some = x != 0;
                        left--;
                        buffer |= (word)some << at;
                        if (++at == 64) {
                            *to++ = buffer;
                            buffer = at = 0;
                        }
                        if (!some)
                            break;
                        while (n < BLOCK - 1 && left > 0) {
                            int bit = x & 1;
                            left--;
                            buffer |= (word)bit << at;
                            if (++at == 64) {
                                *to++ = buffer;
                                buffer = at = 0;
                            }
                            if (bit)
                                break;
                            x >>= 1;
                            n++;
                        }
                        x >>= 1;
                        n++;
                    }
                }
                while (left > 0) {
                    *to++ = buffer;
                    left -= 64 - at;
                    buffer = at = 0;
                }
            }
}
#else
struct stream { word *to, buffer; unsigned at; };

#pragma acc routine seq
static void put(struct stream *s, word bits, unsigned many)
{
    if (many == 0)
        return;
    s->buffer += bits << s->at;
    s->at += many;
    if (s->at >= 64) {
        *s->to++ = s->buffer;
        s->at -= 64;
        s->buffer = s->at ? bits >> (many - s->at) : 0;
    }
}

#pragma acc routine seq
static void lift4(int *x, int *y, int *z, int *w)
{
    *x = (*x + *w) >> 1;
    *w -= *x;
    *z = (*z + *y) >> 1;
    *y -= *z;
    *x = (*x + *z) >> 1;
    *z -= *x;
    *w = (*w + *y) >> 1;
    *y -= *w;
    *w += *y >> 1;
    *y -= *w >> 1;
}

#pragma acc routine seq
static void encode(struct stream *s, const int v[4][4][4], const unsigned char *places)
{
    int left = BITS - 9;
    unsigned n = 0;
    for (int plane = 31; plane >= 0 && left > 0; --plane) {
        word x = 0;
        for (unsigned i = 0; i < BLOCK; ++i) {
            unsigned o = places[i], u = ((unsigned)v[o >> 4][o >> 2 & 3][o & 3] + 0xaaaaaaaau) ^ 0xaaaaaaaau;
            x |= (word)(u >> plane & 1) << i;
        }
        unsigned m = (int)n < left ? n : (unsigned)left;
        put(s, m < 64 ? x & (((word)1 << m) - 1) : x, m);
        left -= m;
        x = m < 64 ? x >> m : 0;
        for (; n < BLOCK && left > 0; x >>= 1, ++n) {
            --left;
            put(s, x != 0, 1);
            if (x == 0)
                break;
            for (; n < BLOCK - 1 && left > 0; x >>= 1, ++n) {
                --left;
                put(s, x & 1, 1);
                if (x & 1)
                    break;
            }
        }
    }
}

static void compress(size_t depth, float *in, word (*out)[WORDS])
{
    float(*field)[SIDE][SIDE] = (float(*)[SIDE][SIDE])in;
    const size_t many = depth * SIDE * SIDE / BLOCK;
#pragma acc kernels present(field[0:depth], out[0:many]) copyin(order)
#pragma acc loop independent gang vector(64)
#pragma omp parallel for
    for (size_t b = 0; b < many; ++b) {
        size_t bx = b % (SIDE / 4) * 4, by = b / (SIDE / 4) % (SIDE / 4) * 4, bz = b / (SIDE / 4) / (SIDE / 4) * 4;
        int v[4][4][4], exponent = -127;
        float most = 0;
        for (int z = 0; z < 4; ++z)
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x)
                    if (fabsf(field[bz + z][by + y][bx + x]) > most)
                        most = fabsf(field[bz + z][by + y][bx + x]);
        if (most > 0)
            (void)frexpf(most, &exponent);
        const float scale = most > 0 ? ldexpf(1, 30 - exponent) : 0;
        for (int z = 0; z < 4; ++z)
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x)
                    v[z][y][x] = (int)(scale * field[bz + z][by + y][bx + x]);
        for (int z = 0; z < 4; ++z)
            for (int y = 0; y < 4; ++y)
                lift4(&v[z][y][0], &v[z][y][1], &v[z][y][2], &v[z][y][3]);
        for (int z = 0; z < 4; ++z)
            for (int x = 0; x < 4; ++x)
                lift4(&v[z][0][x], &v[z][1][x], &v[z][2][x], &v[z][3][x]);
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x)
                lift4(&v[0][y][x], &v[1][y][x], &v[2][y][x], &v[3][y][x]);
        struct stream s = {out[b], 0, 0};
        put(&s, exponent + 128, 9);
        encode(&s, v, order);
        if (s.at)
            *s.to++ = s.buffer;
        while (s.to < out[b] + WORDS)
            *s.to++ = 0;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int depth = SIDE >> args.shift, n = depth * SIDE * SIDE, blocks = n / BLOCK;
    float *field = NEW(float, n);
    word(*out)[WORDS] = (word(*)[WORDS])NEW(word, blocks * WORDS);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        double smooth = sin(0.05 * x) * cos(0.04 * y) + 0.5 * sin(0.03 * z + 0.01 * x);
        field[i] = x < 16 && y < 32 ? 0 : (float)(10 * smooth * smooth * smooth + 0.01 * number(i));
    }
#pragma acc enter data copyin(field[0:n]) create(out[0:blocks])
    struct watch t = watch(args.repeats);
    while (lap(&t))
#if SPELLING == 1
        compress(depth, field, out[0]);
#else
        compress(depth, field, out);
#endif
#pragma acc update self(out[0:blocks])
    for (int b = 0; b < blocks; b++)
        for (int k = 0; k < WORDS; k++)
            sum += (double)mix((unsigned)(out[b][k] ^ out[b][k] >> 32) + k) / 65536;
    report("zfp", t.best, sum);
    return 0;
}
