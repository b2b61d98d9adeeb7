// Hashes (Murmur3, 32 bits) of 2^19 strings of 8 to 71 bytes, at offsets in one array of bytes, a thread for each.
#include "kernels.cuh"

__global__ void hash(int n, const int *__restrict__ starts, const unsigned char *__restrict__ bytes,
                     unsigned *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
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

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 19) >> args.shift, *starts = NEW(int, n + 1), total = 0;
    for (int i = 0; i < n; i++) {
        starts[i] = total;
        total += 8 + mix(i) % 64;
    }
    starts[n] = total;
    unsigned char *bytes = NEW(unsigned char, total);
    unsigned *out = NEW(unsigned, n);
    double sum = 0;
    FILL(bytes, total, 256);
    int *dstarts = on_device(starts, n + 1);
    unsigned char *dbytes = on_device(bytes, total);
    unsigned *dout = device<unsigned>(n);
    double best = fastest(args.repeats, [&] { hash<<<ceiling(n, 256), 256>>>(n, dstarts, dbytes, dout); });
    to_host(out, dout, n);
    SUM(sum, out, n);
    report("murmur", best, sum);
    return 0;
}
