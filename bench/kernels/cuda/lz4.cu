// 2^13 chunks of 4096 bytes of text packed as LZ4 has it are unpacked: a warp a chunk, which makes it in shared memory and writes it out
// by words.
#include "kernels.cuh"

constexpr int CHUNKS = 1 << 13, CHUNK = 4096, WARPS = 4;

typedef unsigned char byte;

__device__ void lengthen(const byte *p, int &at, int &length)
{
    if (length == 15) {
        int more;
        do {
            more = p[at++];
            length += more;
        } while (more == 255);
    }
}

__global__ void __launch_bounds__(32 * WARPS)
unpack(int n, const byte *__restrict__ packed, const int *__restrict__ start, byte *__restrict__ out)
{
    __shared__ uint4 chunk[WARPS][CHUNK / 16];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, c = blockIdx.x * WARPS + warp;
    if (c >= n)
        return;
    const byte *in = packed + start[c];
    byte *mine = (byte *)chunk[warp];
    int bytes = start[c + 1] - start[c], at = 0, to = 0;
    while (at < bytes) {
        int token = in[at++], literals = token >> 4, length = token & 15;
        lengthen(in, at, literals);
        for (int k = lane; k < literals; k += 32)
            mine[to + k] = in[at + k];
        at += literals;
        to += literals;
        __syncwarp();
        if (at >= bytes)
            break;
        int offset = in[at] | in[at + 1] << 8;
        at += 2;
        lengthen(in, at, length);
        length += 4;
        if (offset >= length)
            for (int k = lane; k < length; k += 32)
                mine[to + k] = mine[to - offset + k];
        else
            for (int k = lane; k < length; k += 32)
                mine[to + k] = mine[to - offset + k % offset];
        to += length;
        __syncwarp();
    }
    for (int k = lane; k < CHUNK / 16; k += 32)
        ((uint4 *)(out + (size_t)c * CHUNK))[k] = chunk[warp][k];
}

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
    byte *text = NEW(byte, all), *packed = NEW(byte, all + n * (CHUNK / 16)), *out = NEW(byte, all);
    double sum = 0;
    long wrong = 0;
    compose(text, all);
    start[0] = 0;
    for (int c = 0; c < n; c++)
        start[c + 1] = start[c] + compress(text + c * CHUNK, packed + start[c]);
    int total = start[n], *dstart = on_device(start, n + 1);
    byte *dpacked = on_device(packed, total), *dout = device<byte>(all);
    double best = fastest(args.repeats, [&] { unpack<<<ceiling(n, WARPS), 32 * WARPS>>>(n, dpacked, dstart, dout); });
    to_host(out, dout, all);
    for (int k = 0; k < all; k++) {
        sum += out[k] * (1 + k % 11);
        wrong += out[k] != text[k];
    }
    report("lz4", best, sum + total + 1e3 * wrong);
    return 0;
}
