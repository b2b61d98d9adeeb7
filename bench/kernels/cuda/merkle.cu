// A tree of hashes over 2^17 leaves of 64 bytes by SHA3-256: a thread a digest, the state in registers by unrolled
// loops, a launch a level.
#include "kernels.cuh"

constexpr int WORDS = 4, RATE = 17, THREADS = 128;

typedef unsigned long long word;

__constant__ word rounds[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull, 0x000000000000808bull,
    0x0000000080000001ull, 0x8000000080008081ull, 0x8000000000008009ull, 0x000000000000008aull, 0x0000000000000088ull,
    0x0000000080008009ull, 0x000000008000000aull, 0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull,
    0x8000000000008003ull, 0x8000000000008002ull, 0x8000000000000080ull, 0x000000000000800aull, 0x800000008000000aull,
    0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

__device__ word turned(word x, int n) { return x << n | x >> (64 - n); }

__global__ void level(int n, const ulonglong2 *__restrict__ from, ulonglong2 *__restrict__ to)
{
    constexpr int turns[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                               27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
    constexpr int lanes[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    word s[25], c[5];
#pragma unroll
    for (int k = 0; k < 25; k++)
        s[k] = 0;
#pragma unroll
    for (int k = 0; k < WORDS; k++) {
        ulonglong2 two = from[i * WORDS + k];
        s[2 * k] = two.x;
        s[2 * k + 1] = two.y;
    }
    s[2 * WORDS] = 6;
    s[RATE - 1] = 1ull << 63;
    for (int r = 0; r < 24; r++) {
#pragma unroll
        for (int x = 0; x < 5; x++)
            c[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma unroll
        for (int x = 0; x < 5; x++) {
            word d = c[(x + 4) % 5] ^ turned(c[(x + 1) % 5], 1);
#pragma unroll
            for (int y = 0; y < 25; y += 5)
                s[x + y] ^= d;
        }
        word last = s[1];
#pragma unroll
        for (int k = 0; k < 24; k++) {
            word next = s[lanes[k]];
            s[lanes[k]] = turned(last, turns[k]);
            last = next;
        }
#pragma unroll
        for (int y = 0; y < 25; y += 5) {
#pragma unroll
            for (int x = 0; x < 5; x++)
                c[x] = s[y + x];
#pragma unroll
            for (int x = 0; x < 5; x++)
                s[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
        }
        s[0] ^= rounds[r];
    }
    to[2 * i] = make_ulonglong2(s[0], s[1]);
    to[2 * i + 1] = make_ulonglong2(s[2], s[3]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 17) >> args.shift;
    word *tree = NEW(word, 4 * n * WORDS);
    double sum = 0;
    for (int k = 0; k < 2 * n * WORDS; k++)
        tree[k] = (word)mix(k) << 32 | mix(k + 12345);
    word *dtree = on_device(tree, 4 * n * WORDS);
    double best = fastest(args.repeats, [&] {
        word *from = dtree;
        for (int m = n; m > 0; m /= 2) {
            word *to = from + 2 * m * WORDS;
            level<<<ceiling(m, THREADS), THREADS>>>(m, (const ulonglong2 *)from, (ulonglong2 *)to);
            from = to;
        }
    });
    to_host(tree, dtree, 4 * n * WORDS);
    for (int k = 2 * n * WORDS; k < (4 * n - 1) * WORDS; k++)
        sum += tree[k] >> 48;
    for (int k = 0; k < WORDS; k++)
        sum += tree[(4 * n - 2) * WORDS + k] >> 32;
    report("merkle", best, sum);
    return 0;
}
