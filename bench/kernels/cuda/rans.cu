// 2^15 blocks of 1024 bytes coded by asymmetric numeral systems (rANS), decoded: a thread a block, the table of symbols
// in shared memory.
#include "kernels.cuh"

constexpr int LENGTH = 1024, BITS = 12, SLOTS = 1 << BITS, ROOM = LENGTH + 64, THREADS = 128;
constexpr unsigned LEAST = 1 << 23;

struct slot { unsigned short frequency, offset; };

__global__ void decode(int n, const unsigned char *__restrict__ stream, const int *__restrict__ offset,
                       const slot *__restrict__ slots, const unsigned char *__restrict__ symbol,
                       unsigned char *__restrict__ text, unsigned *__restrict__ check)
{
    __shared__ slot steps[SLOTS];
    __shared__ unsigned char symbols[SLOTS];
    for (int k = threadIdx.x; k < SLOTS; k += THREADS) {
        steps[k] = slots[k];
        symbols[k] = symbol[k];
    }
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    const unsigned char *next = stream + offset[i];
    unsigned state = next[0] | next[1] << 8 | next[2] << 16 | (unsigned)next[3] << 24, a = 1, b = 0;
    next += 4;
    for (int k = 0; k < LENGTH; k++) {
        unsigned low = state & (SLOTS - 1), s = symbols[low];
        slot step = steps[low];
        state = step.frequency * (state >> BITS) + step.offset;
        while (state < LEAST)
            state = state << 8 | *next++;
        text[k * n + i] = s;
        a += s;
        b += a;
    }
    check[i] = (b % 65521) << 16 | a % 65521;
}

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
    int n = (1 << 15) >> args.shift, *offset = NEW(int, n + 1);
    unsigned short frequency[256], start[256];
    unsigned char symbol[SLOTS], *stream = NEW(unsigned char, (long)n *ROOM * 2), *text = NEW(unsigned char, n *LENGTH);
    unsigned *check = NEW(unsigned, n);
    slot slots[SLOTS];
    double sum = 0;
    shares(frequency, start, symbol);
    offset[0] = 0;
    for (int i = 0; i < n; i++)
        offset[i + 1] = offset[i] + encode(i, frequency, start, stream + offset[i]);
    for (int k = 0; k < SLOTS; k++)
        slots[k] = {frequency[symbol[k]], (unsigned short)(k - start[symbol[k]])};
    unsigned char *dstream = on_device(stream, offset[n]), *dsymbol = on_device(symbol, SLOTS),
                  *dtext = device<unsigned char>(n * LENGTH);
    int *doffset = on_device(offset, n + 1);
    slot *dslots = on_device(slots, SLOTS);
    unsigned *dcheck = device<unsigned>(n);
    double best = fastest(args.repeats, [&] {
        decode<<<ceiling(n, THREADS), THREADS>>>(n, dstream, doffset, dslots, dsymbol, dtext, dcheck);
    });
    to_host(text, dtext, n * LENGTH);
    to_host(check, dcheck, n);
    for (int k = 0; k < n; k++)
        sum += check[k] >> 12;
    for (int k = 0; k < n * LENGTH; k++)
        sum += text[k] * (k % 3 + 1);
    report("rans", best, sum);
    return 0;
}
