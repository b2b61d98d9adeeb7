// Encryption of 2^20 blocks of 16 bytes by AES with a key of 128 bits in counter mode: a thread a block, the table in shared memory
// and the key in constant memory.
#include "kernels.cuh"

constexpr int BLOCKS = 1 << 20, ROUNDS = 10, THREADS = 256;

__constant__ unsigned round_key[44];

__device__ unsigned rotate(unsigned x, int by) { return x >> by | x << (32 - by); }

__device__ unsigned mixed(const unsigned *table, unsigned a, unsigned b, unsigned c, unsigned d)
{
    return table[a >> 24] ^ rotate(table[b >> 16 & 255], 8) ^ rotate(table[c >> 8 & 255], 16) ^ rotate(table[d & 255], 24);
}

__device__ unsigned byte_of(const unsigned *table, unsigned x) { return table[x & 255] >> 8 & 255; }

__device__ unsigned last(const unsigned *table, unsigned a, unsigned b, unsigned c, unsigned d)
{
    return byte_of(table, a >> 24) << 24 | byte_of(table, b >> 16) << 16 | byte_of(table, c >> 8) << 8 | byte_of(table, d);
}

__global__ void encrypt(int n, const unsigned *__restrict__ mixes, const uint4 *__restrict__ in, uint4 *__restrict__ out)
{
    __shared__ unsigned table[256];
    table[threadIdx.x] = mixes[threadIdx.x];
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= n)
        return;
    unsigned a = 0x243f6a88 ^ round_key[0], b = 0x85a308d3 ^ round_key[1], c = 0x13198a2e ^ round_key[2], d = i ^ round_key[3];
#pragma unroll
    for (int r = 1; r < ROUNDS; r++) {
        unsigned p = mixed(table, a, b, c, d) ^ round_key[4 * r], q = mixed(table, b, c, d, a) ^ round_key[4 * r + 1];
        unsigned s = mixed(table, c, d, a, b) ^ round_key[4 * r + 2], t = mixed(table, d, a, b, c) ^ round_key[4 * r + 3];
        a = p, b = q, c = s, d = t;
    }
    uint4 x = in[i];
    x.x ^= last(table, a, b, c, d) ^ round_key[40];
    x.y ^= last(table, b, c, d, a) ^ round_key[41];
    x.z ^= last(table, c, d, a, b) ^ round_key[42];
    x.w ^= last(table, d, a, b, c) ^ round_key[43];
    out[i] = x;
}

static unsigned twice(unsigned x) { return (x << 1 ^ (x & 128 ? 0x11b : 0)) & 255; }

// The substitution of a byte: its inverse in the field of 256 elements, then an affine map.
static unsigned substitute(unsigned x)
{
    unsigned power = 1, result = 0x63;
    for (int k = 0; k < 254; k++) {
        unsigned product = 0, a = power;
        for (unsigned b = x; b; b >>= 1, a = twice(a))
            product ^= b & 1 ? a : 0;
        power = product;
    }
    for (int k = 0; k < 5; k++)
        result ^= (power << k | power >> (8 - k)) & 255;
    return result;
}

static void prepare(unsigned *table, unsigned *key)
{
    unsigned constant = 1;
    for (int k = 0; k < 256; k++) {
        unsigned s = substitute(k);
        table[k] = twice(s) << 24 | s << 16 | s << 8 | (twice(s) ^ s);
    }
    for (int k = 0; k < 44; k++) {
        unsigned x = k < 4 ? mix(k + 1) : key[k - 1];
        if (k >= 4 && k % 4 == 0) {
            x = x << 8 | x >> 24;
            unsigned bytes = 0;
            for (int b = 24; b >= 0; b -= 8)
                bytes |= (table[x >> b & 255] >> 8 & 255) << b;
            x = bytes ^ constant << 24;
            constant = twice(constant);
        }
        key[k] = k < 4 ? x : key[k - 4] ^ x;
    }
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = BLOCKS >> args.shift;
    unsigned *table = NEW(unsigned, 256), *key = NEW(unsigned, 44), *in = NEW(unsigned, 4 * n), *out = NEW(unsigned, 4 * n);
    double sum = 0;
    prepare(table, key);
    for (int k = 0; k < 4 * n; k++)
        in[k] = mix(k);
    CHECK(cudaMemcpyToSymbol(round_key, key, 44 * sizeof(unsigned)));
    unsigned *dtable = on_device(table, 256);
    uint4 *din = reinterpret_cast<uint4 *>(on_device(in, 4 * n)), *dout = device<uint4>(n);
    double best = fastest(args.repeats, [&] { encrypt<<<ceiling(n, THREADS), THREADS>>>(n, dtable, din, dout); });
    to_host(reinterpret_cast<uint4 *>(out), dout, n);
    SUM(sum, out, 4 * n);
    report("aes", best, sum);
    return 0;
}
