// 2^13 chunks of 4096 bytes of text packed as LZ4 has it are unpacked: a token, literals, and a match in what is there already, which may
// reach into itself; a chunk does not know others.
#include "../kernels.h"

enum { CHUNKS = 1 << 13, CHUNK = 4096 };

#if SPELLING == 1
static void unpack(int n, const unsigned char *restrict packed, const int *restrict start, unsigned char *restrict out)
{
#pragma acc parallel loop gang vector vector_length(32) present(packed[0:start[n]], start[0:n + 1], out[0:n * CHUNK])
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        const unsigned char *p = packed + start[c], *end = packed + start[c + 1];
        unsigned char *to = out + c * CHUNK;
        while (p < end) {
            int token = *p++, literals = token >> 4, length = token & 15, more = 255;
            if (literals == 15)
                while (more == 255) {
                    more = *p++;
                    literals += more;
                }
            for (int k = 0; k < literals; k++)
                *to++ = *p++;
            if (p == end)
                break;
            int offset = p[0] | p[1] << 8;
            p += 2;
            more = 255;
            if (length == 15)
                while (more == 255) {
                    more = *p++;
                    length += more;
                }
            const unsigned char *from = to - offset;
            for (int k = 0; k < length + 4; k++)
                *to++ = *from++;
        }
    }
}
#else
typedef unsigned char byte;
struct piece { unsigned first, bytes; };

// A length that goes on in further bytes.
#define LENGTHEN(length, p, at)                                                                                          \
    if ((length) == 15) {                                                                                               \
        byte more;                                                                                                      \
        do {                                                                                                            \
            more = (p)[(at)++];                                                                                         \
            (length) += more;                                                                                           \
        } while (more == 255);                                                                                          \
    }

static void unpack(size_t n, size_t total, const byte *packed, const struct piece *pieces, byte (*out)[CHUNK])
{
#pragma acc parallel loop gang vector_length(32) present(packed[0:total], pieces[0:n], out[0:n])
#pragma omp parallel for
    for (size_t c = 0; c < n; ++c) {
        const byte *in = packed + pieces[c].first;
        byte *const mine = out[c];
        unsigned at = 0, to = 0;
        while (at < pieces[c].bytes) {
            const byte token = in[at++];
            unsigned literals = token >> 4, length = token & 15;
            LENGTHEN(literals, in, at)
#pragma acc loop vector
            for (unsigned k = 0; k < literals; ++k)
                mine[to + k] = in[at + k];
            at += literals;
            to += literals;
            if (at < pieces[c].bytes) {
                const unsigned offset = in[at] + 256u * in[at + 1], from = to - offset;
                at += 2;
                LENGTHEN(length, in, at)
                length += 4;
                // what a match takes from itself repeats
#pragma acc loop vector
                for (unsigned k = 0; k < length; ++k)
                    mine[to + k] = mine[from + k % offset];
                to += length;
            }
        }
    }
}
#endif

// What LZ4's fast way would make of a chunk: a table of where four bytes were last seen, and the first match that it knows.
static int compress(const unsigned char *in, unsigned char *out)
{
    int table[4096], at = 0, begin = 0, to = 0;
    for (int k = 0; k < 4096; k++)
        table[k] = -1;
    while (at < CHUNK - 12) {
        unsigned four = in[at] | in[at + 1] << 8 | in[at + 2] << 16 | (unsigned)in[at + 3] << 24;
        int slot = four * 2654435761u >> 20, from = table[slot], length = 0;
        table[slot] = at;
        while (from >= 0 && at + length < CHUNK - 5 && in[from + length] == in[at + length])
            length++;
        if (length < 4) {
            at++;
            continue;
        }
        int literals = at - begin, token = to++;
        out[token] = (literals < 15 ? literals : 15) << 4 | (length - 4 < 15 ? length - 4 : 15);
        for (int left = literals - 15; left >= 0; left -= 255)
            out[to++] = left < 255 ? left : 255;
        for (; begin < at; begin++)
            out[to++] = in[begin];
        out[to++] = (at - from) & 255;
        out[to++] = (at - from) >> 8;
        for (int left = length - 19; left >= 0; left -= 255)
            out[to++] = left < 255 ? left : 255;
        begin = at += length;
    }
    int literals = CHUNK - begin;
    out[to++] = (literals < 15 ? literals : 15) << 4;
    for (int left = literals - 15; left >= 0; left -= 255)
        out[to++] = left < 255 ? left : 255;
    for (; begin < CHUNK; begin++)
        out[to++] = in[begin];
    return to;
}

// Text of words of three to ten letters, of which some are more frequent.
static void compose(unsigned char *text, int n)
{
    for (int at = 0, word = 0; at < n; word++) {
        unsigned any = mix(word) % 1024, which = any * any / 1024 * (mix(word + 9) % 1024) / 1024;
        int letters = 3 + mix(which) % 8;
        for (int k = 0; k < letters && at < n; k++)
            text[at++] = 'a' + mix(which * 16 + k) % 26;
        if (at < n)
            text[at++] = mix(word) % 97 == 0 ? '\n' : ' ';
        // now and then a ruler
        for (int k = 0; k < 60 && at < n && mix(word + 3) % 256 == 0; k++)
            text[at++] = '-';
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = CHUNKS >> args.shift, all = n * CHUNK, *start = NEW(int, n + 1);
    unsigned char *text = NEW(unsigned char, all), *packed = NEW(unsigned char, all + n * (CHUNK / 16)), *out = NEW(unsigned char, all);
    double sum = 0;
    long wrong = 0;
    compose(text, all);
    start[0] = 0;
    for (int c = 0; c < n; c++)
        start[c + 1] = start[c] + compress(text + c * CHUNK, packed + start[c]);
    int total = start[n];
    struct watch t = watch(args.repeats);
#if SPELLING == 1
#pragma acc enter data copyin(packed[0:total], start[0:n + 1]) create(out[0:all])
    while (lap(&t))
        unpack(n, packed, start, out);
#else
    struct piece *pieces = NEW(struct piece, n);
    for (int c = 0; c < n; c++)
        pieces[c] = (struct piece){start[c], start[c + 1] - start[c]};
#pragma acc enter data copyin(packed[0:total], pieces[0:n]) create(out[0:all])
    while (lap(&t))
        unpack(n, total, packed, pieces, (byte(*)[CHUNK])out);
#endif
#pragma acc update self(out[0:all])
    for (int k = 0; k < all; k++) {
        sum += out[k] * (1 + k % 11);
        wrong += out[k] != text[k];
    }
    report("lz4", t.best, sum + total + 1e3 * wrong);
    return 0;
}
