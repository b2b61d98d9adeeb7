// Key stream of ChaCha20, 32-bit integers: twenty rounds over sixteen words, 2^20 blocks of 64 bytes, a thread each.
#include "kernels.cuh"

constexpr int WORDS = 16;

__device__ unsigned turn(unsigned value, int bits) { return value << bits | value >> (32 - bits); }

__device__ void quarter(unsigned &a, unsigned &b, unsigned &c, unsigned &d)
{
    a += b, d = turn(d ^ a, 16);
    c += d, b = turn(b ^ c, 12);
    a += b, d = turn(d ^ a, 8);
    c += d, b = turn(b ^ c, 7);
}

__global__ void stream(int n, const unsigned *__restrict__ key, uint4 *__restrict__ out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x[WORDS], first[WORDS];
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        x[k] = first[k] = key[k] + (k == 12 ? i : 0);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        quarter(x[0], x[4], x[8], x[12]), quarter(x[1], x[5], x[9], x[13]);
        quarter(x[2], x[6], x[10], x[14]), quarter(x[3], x[7], x[11], x[15]);
        quarter(x[0], x[5], x[10], x[15]), quarter(x[1], x[6], x[11], x[12]);
        quarter(x[2], x[7], x[8], x[13]), quarter(x[3], x[4], x[9], x[14]);
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        out[4 * i + k] = make_uint4(x[4 * k] + first[4 * k], x[4 * k + 1] + first[4 * k + 1],
                                    x[4 * k + 2] + first[4 * k + 2], x[4 * k + 3] + first[4 * k + 3]);
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = (1 << 20) >> args.shift;
    unsigned *key = NEW(unsigned, WORDS), *out = NEW(unsigned, (long)n *WORDS);
    double sum = 0;
    for (int k = 0; k < WORDS; k++)
        key[k] = mix(k);
    unsigned *dkey = on_device(key, WORDS), *dout = device<unsigned>((long)n * WORDS);
    double best = fastest(args.repeats, [&] { stream<<<ceiling(n, 256), 256>>>(n, dkey, (uint4 *)dout); });
    to_host(out, dout, (long)n * WORDS);
    SUM(sum, out, (long)n * WORDS);
    report("chacha", best, sum);
    return 0;
}
