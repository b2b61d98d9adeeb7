// Entropy coding of 2^18 blocks of 8 x 8 quantised coefficients as JPEG has it: zigzag, runs of zeros, codes of variable length. The bits of each
// block are counted, running sums say where it begins, and its bits are written into 32-bit words that neighbours share.
#include "../kernels.h"

enum { BLOCKS = 1 << 18, PART = 64, SYMBOLS = 272, FIRST_DC = 256, LONG_RUN = 0xf0 };

static const unsigned char zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                                         41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                                         30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

#if SPELLING == 1
static inline int category(int v)
{
    int s = 0;
    for (v = abs(v); v > 0; v >>= 1)
        s++;
    return s;
}

static void count(int n, const short *restrict coefficient, const unsigned char *restrict order, const int *restrict length, int *restrict bits)
{
#pragma acc parallel loop present(coefficient[0:64 * n], order[0:64], length[0:SYMBOLS], bits[0:n])
#pragma omp parallel for
    for (int b = 0; b < n; b++) {
        int last = b > 0 ? coefficient[64 * b - 64] : 0, size = category(coefficient[64 * b] - last), run = 0;
        int total = length[FIRST_DC + size] + size;
        for (int k = 1; k < 64; k++) {
            int v = coefficient[64 * b + order[k]];
            if (v == 0) {
                run++;
                continue;
            }
            for (; run > 15; run -= 16)
                total += length[LONG_RUN];
            size = category(v);
            total += length[16 * run + size] + size;
            run = 0;
        }
        bits[b] = run > 0 ? total + length[0] : total;
    }
}

// Running sums without the own number, of parts and of the sums of parts, for which `part` has room.
static void running(int n, const int *restrict in, int *restrict out, int *part)
{
    int parts = (n + PART - 1) / PART, *before = part + parts;
#pragma acc parallel loop present(in[0:n], part[0:parts])
#pragma omp parallel for
    for (int p = 0; p < parts; p++) {
        int sum = 0, end = (p + 1) * PART < n ? (p + 1) * PART : n;
        for (int k = p * PART; k < end; k++)
            sum += in[k];
        part[p] = sum;
    }
    if (parts > 1)
        running(parts, part, before, before + parts);
#pragma acc parallel loop present(in[0:n], out[0:n], before[0:parts])
#pragma omp parallel for
    for (int p = 0; p < parts; p++) {
        int sum = parts > 1 ? before[p] : 0, end = (p + 1) * PART < n ? (p + 1) * PART : n;
        for (int k = p * PART; k < end; k++) {
            out[k] = sum;
            sum += in[k];
        }
    }
}

// Appends bits to those that wait, and writes a word if there is one.
static inline void put(unsigned *stream, int *word, int *waiting, unsigned long *pending, unsigned value, int bits)
{
    *pending = *pending << bits | value;
    *waiting += bits;
    if (*waiting >= 32) {
        *waiting -= 32;
        unsigned full = (unsigned)(*pending >> *waiting);
#pragma acc atomic update
#pragma omp atomic
        stream[*word] |= full;
        *word += 1;
    }
}

static void emit(int n, int words, const short *restrict coefficient, const unsigned char *restrict order, const int *restrict length,
                 const unsigned *restrict code, const int *restrict start, unsigned *restrict stream)
{
#pragma acc data present(coefficient[0:64 * n], order[0:64], length[0:SYMBOLS], code[0:SYMBOLS], start[0:n], stream[0:words])
    {
#pragma acc parallel loop
#pragma omp parallel for
        for (int w = 0; w < words; w++)
            stream[w] = 0;
#pragma acc parallel loop
#pragma omp parallel for
        for (int b = 0; b < n; b++) {
            int word = start[b] / 32, waiting = start[b] % 32, run = 0;
            unsigned long pending = 0;
            int v = coefficient[64 * b] - (b > 0 ? coefficient[64 * b - 64] : 0), size = category(v);
            put(stream, &word, &waiting, &pending, code[FIRST_DC + size], length[FIRST_DC + size]);
            put(stream, &word, &waiting, &pending, v < 0 ? v - 1 + (1 << size) : v, size);
            for (int k = 1; k < 64; k++) {
                v = coefficient[64 * b + order[k]];
                if (v == 0) {
                    run++;
                    continue;
                }
                for (; run > 15; run -= 16)
                    put(stream, &word, &waiting, &pending, code[LONG_RUN], length[LONG_RUN]);
                size = category(v);
                put(stream, &word, &waiting, &pending, code[16 * run + size], length[16 * run + size]);
                put(stream, &word, &waiting, &pending, v < 0 ? v - 1 + (1 << size) : v, size);
                run = 0;
            }
            if (run > 0)
                put(stream, &word, &waiting, &pending, code[0], length[0]);
            if (waiting > 0) {
                unsigned rest = (unsigned)(pending << (32 - waiting));
#pragma acc atomic update
#pragma omp atomic
                stream[word] |= rest;
            }
        }
    }
}
#else
typedef struct { short at[64]; } block;
typedef struct { unsigned bits; unsigned char length; } symbol;
typedef struct { unsigned *to; unsigned long long pending; unsigned waiting, first; } writer;

#define EXTRA(v, size) ((v) < 0 ? (unsigned)((v) + (1 << (size)) - 1) : (unsigned)(v))
#define SEND(s) push(&w, (s).bits, (s).length)

// How many bits a number has without its sign, in halves.
#pragma acc routine seq
static unsigned width(int v)
{
    unsigned u = v < 0 ? -v : v, s = 0;
    if (u >= 256)
        s += 8, u >>= 8;
    if (u >= 16)
        s += 4, u >>= 4;
    if (u >= 4)
        s += 2, u >>= 2;
    return s + (u >= 2 ? 2 : u);
}

#pragma acc routine seq
static void shared_or(unsigned *to, unsigned value)
{
#pragma acc atomic
#pragma omp atomic
    *to |= value;
}

// Words that no other block shares are written plainly.
#pragma acc routine seq
static void push(writer *w, unsigned value, unsigned bits)
{
    w->pending = (w->pending << bits) | value;
    w->waiting += bits;
    if (w->waiting < 32)
        return;
    w->waiting -= 32;
    const unsigned full = (unsigned)(w->pending >> w->waiting);
    if (w->first)
        shared_or(w->to, full);
    else
        *w->to = full;
    w->first = 0;
    ++w->to;
}

static void count(size_t n, const block *blocks, const symbol *symbols, const unsigned char *order, unsigned *bits)
{
#pragma acc kernels loop independent present(blocks[0:n], symbols[0:SYMBOLS], order[0:64], bits[0:n])
#pragma omp parallel for
    for (size_t b = 0; b < n; ++b) {
        const short *c = blocks[b].at;
        unsigned run = 0, size = width(c[0] - (b ? blocks[b - 1].at[0] : 0)), total = size + symbols[FIRST_DC + size].length;
        for (const unsigned char *o = order + 1; o < order + 64; ++o)
            if (c[*o]) {
                size = width(c[*o]);
                total += run / 16 * symbols[LONG_RUN].length + symbols[run % 16 * 16 + size].length + size;
                run = 0;
            } else
                ++run;
        bits[b] = total + (run ? symbols[0].length : 0);
    }
}

// Running sums within parts, in place above the lowest level, and what a part contains for the next level; returns how many parts there are.
static size_t running(size_t n, const unsigned *in, unsigned *out, unsigned *sums)
{
    const size_t parts = (n + PART - 1) / PART;
#pragma acc kernels loop independent present(in[0:n], out[0:n], sums[0:parts])
#pragma omp parallel for
    for (size_t p = 0; p < parts; ++p) {
        unsigned sum = 0;
        for (size_t k = p * PART; k < n && k < (p + 1) * PART; ++k) {
            const unsigned mine = in[k];
            out[k] = sum;
            sum += mine;
        }
        sums[p] = sum;
    }
    return parts;
}

static unsigned places(size_t n, const unsigned *bits, unsigned *start, unsigned *part)
{
    size_t many[8] = {n}, level = 0;
    unsigned *at[9] = {start, part};
    do {
        many[level + 1] = running(many[level], level ? at[level] : bits, at[level], at[level + 1]);
        at[level + 2] = at[level + 1] + many[level + 1];
    } while (many[++level] > 1);
    unsigned *last = at[level];
#pragma acc update host(last[0:1])
    const unsigned total = *last;
    while (--level > 0) {
        const size_t count = many[level - 1], parts = many[level];
        unsigned *out = at[level - 1], *before = at[level];
#pragma acc kernels loop independent present(out[0:count], before[0:parts])
#pragma omp parallel for
        for (size_t k = 0; k < count; ++k)
            out[k] += before[k / PART];
    }
    return total;
}

static void emit(size_t n, size_t words, const block *blocks, const symbol *symbols, const unsigned char *order, const unsigned *start,
                 unsigned *stream)
{
#pragma acc kernels present(blocks[0:n], symbols[0:SYMBOLS], order[0:64], start[0:n], stream[0:words])
    {
#pragma acc loop independent
#pragma omp parallel for
        for (size_t k = 0; k < words; ++k)
            stream[k] = 0;
#pragma acc loop independent
#pragma omp parallel for
        for (size_t b = 0; b < n; ++b) {
            const short *c = blocks[b].at;
            writer w = {stream + (start[b] >> 5), 0, start[b] & 31, 1};
            int v = b ? c[0] - blocks[b - 1].at[0] : c[0];
            unsigned size = width(v), run = 0;
            SEND(symbols[FIRST_DC + size]);
            push(&w, EXTRA(v, size), size);
            for (size_t k = 1; k < 64; ++k) {
                if ((v = c[order[k]]) == 0) {
                    ++run;
                    continue;
                }
                while (run >= 16) {
                    SEND(symbols[LONG_RUN]);
                    run -= 16;
                }
                size = width(v);
                const symbol s = symbols[run << 4 | size];
                SEND(s);
                push(&w, EXTRA(v, size), size);
                run = 0;
            }
            if (run)
                SEND(symbols[0]);
            if (w.waiting)
                shared_or(w.to, (unsigned)(w.pending << (32 - w.waiting)));
        }
    }
}
#endif

// Lengths after Shannon and codes in their order.
static void make_codes(int n, const long *often, int *length, unsigned *code)
{
    long total = 0;
    unsigned next = 0;
    for (int s = 0; s < n; s++)
        total += often[s];
    for (int s = 0; s < n; s++)
        for (length[s] = 1; often[s] << length[s] < total;)
            length[s]++;
    for (int l = 1; l < 32; l++, next <<= 1)
        for (int s = 0; s < n; s++)
            if (length[s] == l)
                code[s] = next++;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BLOCKS >> args.shift, length[SYMBOLS], total = 0;
    unsigned code[SYMBOLS];
    long often[SYMBOLS], expected = 0;
    short *coefficient = NEW(short, 64 * n);
    unsigned char order[64];
    double sum = 0;
    for (int s = 0; s < SYMBOLS; s++)
        often[s] = 1;
    for (int b = 0; b < n; b++)
        for (int k = 0, run = 0; k < 64; k++) {
            unsigned h = mix(64 * b + k), g = mix(h + 1);
            int v = h % 64 < 56u / (1 + k / 3) ? 1 + (int)(g % (1 + 48 / (k + 1))) * (int)(g / 64 % 3) / 2 : 0;
            coefficient[64 * b + zigzag[k]] = k == 0 ? (int)(400 * sin(b * 0.01) + h % 50) : h & 1024 ? v : -v;
            int size = 0, left = k > 0 ? v : abs(coefficient[64 * b] - (b > 0 ? coefficient[64 * b - 64] : 0));
            for (; left > 0; left >>= 1)
                size++;
            if (k == 0)
                often[FIRST_DC + size]++;
            else if (v == 0)
                run++;
            else {
                often[LONG_RUN] += run / 16;
                often[run % 16 * 16 + size]++;
                run = 0;
            }
            if (k == 63 && run > 0)
                often[0]++;
            if (k == 0 || v != 0)
                expected += size;
        }
    make_codes(FIRST_DC, often, length, code);
    make_codes(SYMBOLS - FIRST_DC, often + FIRST_DC, length + FIRST_DC, code + FIRST_DC);
    for (int s = 0; s < SYMBOLS; s++)
        expected += (often[s] - 1) * length[s];
    for (int k = 0; k < 64; k++)
        order[k] = zigzag[k];
    int words = (int)(expected / 32) + 1, room = n / 16 + 64;
    unsigned *stream = NEW(unsigned, words);
    struct watch t = watch(args.repeats);
#if SPELLING == 1
    int *bits = NEW(int, n), *part = NEW(int, room), *start = NEW(int, n);
#pragma acc enter data copyin(coefficient[0:64 * n], order[0:64], length[0:SYMBOLS], code[0:SYMBOLS])                                            \
    create(bits[0:n], part[0:room], start[0:n], stream[0:words])
    while (lap(&t)) {
        count(n, coefficient, order, length, bits);
        running(n, bits, start, part);
#pragma acc update self(start[n - 1:1], bits[n - 1:1])
        total = start[n - 1] + bits[n - 1];
        emit(n, words, coefficient, order, length, code, start, stream);
    }
#else
    block *blocks = (block *)coefficient;
    symbol symbols[SYMBOLS];
    unsigned *bits = NEW(unsigned, n), *part = NEW(unsigned, room), *start = NEW(unsigned, n);
    for (int s = 0; s < SYMBOLS; s++)
        symbols[s] = (symbol){code[s], (unsigned char)length[s]};
#pragma acc enter data copyin(blocks[0:n], symbols[0:SYMBOLS], order[0:64]) create(bits[0:n], part[0:room], start[0:n], stream[0:words])
    while (lap(&t)) {
        count(n, blocks, symbols, order, bits);
        total = (int)places(n, bits, start, part);
        emit(n, words, blocks, symbols, order, start, stream);
    }
#endif
#pragma acc update self(stream[0:words])
    for (int w = 0; w < words; w++)
        sum += (double)stream[w] * (1 + w % 5) / 65536;
    report("huffman", t.best, sum + total);
    return 0;
}
