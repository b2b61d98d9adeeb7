// 2^15 blocks of 1024 bytes coded by asymmetric numeral systems (rANS), decoded: a state of 32 bits for each, the
// symbol of its last twelve bits from a table of 4096, bytes of the stream taken in while the state is small; and a
// check sum of each block.
#include "../kernels.h"

enum { BLOCKS = 1 << 15, LENGTH = 1024, BITS = 12, SLOTS = 1 << BITS, LEAST = 1 << 23, ROOM = LENGTH + 64 };

#if SPELLING == 1
static void decode(int n, int bytes, const unsigned char *restrict stream, const int *restrict offset,
                   const unsigned char *restrict symbol, const unsigned short *restrict frequency,
                   const unsigned short *restrict start, unsigned char *restrict text, unsigned *restrict check)
{
#pragma acc parallel loop gang vector vector_length(128)                                                           \
    present(stream[0:bytes], offset[0:n + 1], symbol[0:SLOTS], frequency[0:256], start[0:256], text[0:n * LENGTH], \
                check[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = offset[i];
        unsigned state = 0, a = 1, b = 0;
        for (int k = 0; k < 4; k++)
            state |= (unsigned)stream[at++] << (8 * k);
        for (int k = 0; k < LENGTH; k++) {
            unsigned slot = state & (SLOTS - 1);
            int s = symbol[slot];
            state = frequency[s] * (state >> BITS) + slot - start[s];
            while (state < LEAST)
                state = state << 8 | stream[at++];
            text[k * n + i] = s;
            a += s;
            b += a;
        }
        check[i] = (b % 65521) << 16 | a % 65521;
    }
}
#else
struct model {
    struct { unsigned short frequency, offset; } slot[SLOTS];
    unsigned char symbol[SLOTS];
};
struct decoder { unsigned state; const unsigned char *next; };

#pragma acc routine seq
static inline unsigned char advance(struct decoder *d, const struct model *m)
{
    unsigned low = d->state % SLOTS;
    d->state = m->slot[low].frequency * (d->state / SLOTS) + m->slot[low].offset;
    if (d->state < LEAST) {
        do
            d->state = d->state * 256 + *d->next++;
        while (d->state < LEAST);
    }
    return m->symbol[low];
}

static void decode(size_t n, size_t bytes, unsigned char *stream, int *offset, struct model *model, unsigned char *text,
                   unsigned *check)
{
#pragma acc parallel loop present(stream[0:bytes], offset[0:n + 1], model[0:1], text[0:n * LENGTH], check[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i) {
        const unsigned char *p = stream + offset[i];
        struct decoder d = {p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24, p + 4};
        unsigned sums[2] = {1, 0};
        for (size_t k = 0; k < LENGTH; ++k) {
            unsigned char c = advance(&d, model);
            text[i + k * n] = c;
            sums[0] += c;
            sums[1] += sums[0];
        }
        check[i] = sums[1] % 65521 * 65536 + sums[0] % 65521;
    }
}
#endif

// Letters of which most are small numbers.
static unsigned char letter(unsigned k)
{
    unsigned a = mix(k) % 256, b = mix(k + 1000003) % 256, c = mix(k + 77) % 8;
    return c == 0 ? a : a * b / 1024;
}

// Each block is coded from its end, so that its state comes first; gives how long it is.
static int encode(int block, const unsigned short *frequency, const unsigned short *start, unsigned char *out)
{
    unsigned char room[ROOM * 2];
    int at = ROOM * 2;
    unsigned state = LEAST;
    for (int k = LENGTH - 1; k >= 0; k--) {
        unsigned char s = letter(block * LENGTH + k);
        unsigned most = ((LEAST >> BITS) << 8) * frequency[s];
        while (state >= most) {
            room[--at] = state;
            state >>= 8;
        }
        state = (state / frequency[s] << BITS) + state % frequency[s] + start[s];
    }
    for (int k = 3; k >= 0; k--)
        room[--at] = state >> (8 * k);
    for (int k = at; k < ROOM * 2; k++)
        out[k - at] = room[k];
    return ROOM * 2 - at;
}

// Shares of 4096 of all symbols, none of them zero.
static void shares(unsigned short *frequency, unsigned short *start, unsigned char *symbol)
{
    int count[256] = {0}, total = 0;
    for (int k = 0; k < 1 << 16; k++)
        count[letter(k)]++;
    for (int s = 0; s < 256; s++)
        total += frequency[s] = 1 + (long)count[s] * (SLOTS - 256) / (1 << 16);
    frequency[0] += SLOTS - total;
    for (int s = 0, sum = 0; s < 256; s++) {
        start[s] = sum;
        for (int k = 0; k < frequency[s]; k++)
            symbol[sum++] = s;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BLOCKS >> args.shift, *offset = NEW(int, n + 1);
    unsigned short frequency[256], start[256];
    unsigned char symbol[SLOTS], *stream = NEW(unsigned char, (long)n *ROOM * 2), *text = NEW(unsigned char, n *LENGTH);
    unsigned *check = NEW(unsigned, n);
    double sum = 0;
    shares(frequency, start, symbol);
    offset[0] = 0;
    for (int i = 0; i < n; i++)
        offset[i + 1] = offset[i] + encode(i, frequency, start, stream + offset[i]);
    int bytes = offset[n];
#pragma acc enter data copyin(stream[0:bytes], offset[0:n + 1]) create(text[0:n * LENGTH], check[0:n])
#if SPELLING == 1
#pragma acc enter data copyin(frequency, start, symbol)
#else
    struct model *model = NEW(struct model, 1);
    for (int k = 0; k < SLOTS; k++) {
        model->symbol[k] = symbol[k];
        model->slot[k].frequency = frequency[symbol[k]];
        model->slot[k].offset = k - start[symbol[k]];
    }
#pragma acc enter data copyin(model[0:1])
#endif
    struct watch t = watch(args.repeats);
    while (lap(&t)) {
#if SPELLING == 1
        decode(n, bytes, stream, offset, symbol, frequency, start, text, check);
#else
        decode(n, bytes, stream, offset, model, text, check);
#endif
    }
#pragma acc update self(text[0:n * LENGTH], check[0:n])
    for (int k = 0; k < n; k++)
        sum += check[k] >> 12;
    for (int k = 0; k < n * LENGTH; k++)
        sum += text[k] * (k % 3 + 1);
    report("rans", t.best, sum);
    return 0;
}
