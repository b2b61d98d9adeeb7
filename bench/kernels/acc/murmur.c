// Hashes (Murmur3, 32 bits) of 2^19 strings of 8 to 71 bytes, at offsets in one array of bytes.
#include "../kernels.h"

enum { STRINGS = 1 << 19 };

#if SPELLING == 1
static void hash(int n, const int *restrict starts, const unsigned char *restrict bytes, unsigned *restrict out, int total)
{
#pragma acc parallel loop present(starts[0:n + 1], bytes[0:total], out[0:n])
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = starts[i], length = starts[i + 1] - at, blocks = length / 4;
        unsigned h = 17;
        for (int b = 0; b < blocks; b++) {
            unsigned k = bytes[at + 4 * b] | bytes[at + 4 * b + 1] << 8 | bytes[at + 4 * b + 2] << 16 |
                         (unsigned)bytes[at + 4 * b + 3] << 24;
            k *= 0xcc9e2d51u;
            k = k << 15 | k >> 17;
            h ^= k * 0x1b873593u;
            h = h << 13 | h >> 19;
            h = h * 5 + 0xe6546b64u;
        }
        unsigned tail = 0;
        switch (length & 3) {
        case 3:
            tail ^= bytes[at + 4 * blocks + 2] << 16;
        case 2:
            tail ^= bytes[at + 4 * blocks + 1] << 8;
        case 1:
            tail ^= bytes[at + 4 * blocks];
            tail *= 0xcc9e2d51u;
            tail = tail << 15 | tail >> 17;
            h ^= tail * 0x1b873593u;
        }
        h ^= length;
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        out[i] = h ^ h >> 16;
    }
}
#else
#define ROTATE(x, r) ((x) << (r) | (x) >> (32 - (r)))

#pragma acc routine seq
static unsigned scramble(unsigned k)
{
    return ROTATE(k * 0xcc9e2d51u, 15) * 0x1b873593u;
}

#pragma acc routine seq
static unsigned hash_of(const unsigned char *p, size_t length)
{
    const unsigned char *end = p + (length & ~(size_t)3);
    unsigned h = 17, k;
    for (; p != end; p += 4) {
        k = 0;
        for (int byte = 3; byte >= 0; --byte)
            k = k << 8 | p[byte];
        h ^= scramble(k);
        h = ROTATE(h, 13) * 5 + 0xe6546b64u;
    }
    k = 0;
    for (size_t rest = length & 3; rest; --rest)
        k = k << 8 | p[rest - 1];
    h ^= scramble(k) ^ (unsigned)length;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static void hash(size_t n, int *starts, unsigned char *bytes, unsigned *out, size_t total)
{
#pragma acc kernels loop independent present(starts[0:n + 1], bytes[0:total], out[0:n])
#pragma omp parallel for
    for (size_t i = 0; i < n; ++i)
        out[i] = hash_of(&bytes[starts[i]], starts[i + 1] - starts[i]);
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = STRINGS >> args.shift, *starts = NEW(int, n + 1), total = 0;
    for (int i = 0; i < n; i++) {
        starts[i] = total;
        total += 8 + mix(i) % 64;
    }
    starts[n] = total;
    unsigned char *bytes = NEW(unsigned char, total);
    unsigned *out = NEW(unsigned, n);
    double sum = 0;
    FILL(bytes, total, 256);
#pragma acc enter data copyin(starts[0:n + 1], bytes[0:total]) create(out[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        hash(n, starts, bytes, out, total);
#pragma acc update self(out[0:n])
    SUM(sum, out, n);
    report("murmur", t.best, sum);
    return 0;
}
